#include "core/tasks/bandit_family.h"

#include <algorithm>
#include <numbers>

#include "core/base/rng.h"

namespace emergence {

BanditOptions draw_bandit_options(const BanditFamily& family, uint64_t seed, uint32_t index) {
    Stream stream(seed, Purpose::task_parameters, index);
    BanditOptions options;
    options.rounds = family.rounds;
    options.d = family.d;
    options.arms = family.arms;
    options.noise = family.noise;
    double left = stream.uniform();
    size_t kind = 0;
    while (kind + 1 < family.shares.size() && left >= family.shares[kind]) left -= family.shares[kind++];
    options.kind = static_cast<BanditKind>(kind);
    // The number of draws is fixed, so that a changed bound changes nothing else.
    const double which = stream.uniform(), amount = stream.uniform(), phase = stream.uniform();
    const bool any_phase =
        family.cosines == CosineTraining::continuous || family.cosines == CosineTraining::four_any_phase;
    if (has_four_frequencies(family.cosines))
        options.frequency = kPaperFrequencies[std::min<size_t>(static_cast<size_t>(4.0 * which), 3)];
    else
        options.frequency = which < family.stationary ? 0.0 : family.max_frequency * amount;
    options.phase = any_phase ? 2.0 * std::numbers::pi * phase : 0.0;
    options.segments = 1 + std::min(static_cast<int>(amount * family.max_segments), family.max_segments - 1);
    options.angle = family.max_angle * amount;
    return options;
}

}  // namespace emergence
