#include "core/tasks/bandit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/rng.h"

namespace emergence {

namespace {

constexpr double kElevation = 3.0;
constexpr double kZeroMeanBound = 1.0 / std::numbers::sqrt3;

constexpr int kFirstWindow = 50, kWindowSpan = 600, kWindowRounds = 51;

// X w* for weight vector number `number` of the world, with entries U[low, high].
Vec draw_means(const BanditTrajectory& trajectory, uint64_t seed, uint32_t index, uint32_t number, double low,
               double high) {
    Stream stream(seed, Purpose::true_weights, index, number);
    Vec w(trajectory.actions.cols());
    for (Index i = 0; i < w.size(); ++i) w(i) = stream.uniform(low, high);
    return trajectory.actions * w;
}

void fill_cosine(const BanditOptions& options, uint64_t seed, uint32_t index, BanditTrajectory& trajectory) {
    const Vec mu = draw_means(trajectory, seed, index, 0, 0.0, 1.0);
    for (int round = 0; round < options.rounds; ++round) {
        const double cosine = std::cos(2.0 * std::numbers::pi * options.frequency * (round + 1) + options.phase);
        trajectory.means.col(round) = cosine * mu;
        trajectory.noise[round] *= cosine;
        trajectory.modifier[round] = cosine;
        if (round > 0 && (cosine < 0.0) != (trajectory.modifier[round - 1] < 0.0)) trajectory.changes.push_back(round);
    }
}

void fill_elevated(const BanditOptions& options, uint64_t seed, uint32_t index, BanditTrajectory& trajectory) {
    const Vec mu = draw_means(trajectory, seed, index, 0, 0.0, 1.0);
    const double least = mu.minCoeff(), range = mu.maxCoeff() - least;
    check(range > 0.0, "the arms' means differ");
    trajectory.noise_scale /= range;
    const std::vector<ElevatedWindow> windows = elevated_windows(options.windows);
    for (int round = 0; round < options.rounds; ++round) {
        const bool elevated = any_of(
            windows, [t = round + 1](const ElevatedWindow& window) { return t >= window.first && t <= window.last; });
        const double more = elevated ? kElevation : 0.0;
        trajectory.means.col(round) = (mu.cwisePlus(-least) / range).cwisePlus(more);
        trajectory.noise[round] /= range;
        trajectory.modifier[round] = more;
        if (round > 0 && more != trajectory.modifier[round - 1]) trajectory.changes.push_back(round);
    }
}

void fill_abrupt(const BanditOptions& options, uint64_t seed, uint32_t index, BanditTrajectory& trajectory) {
    int begin = 0;
    for (int j = 0; j < options.segments; ++j) {
        const auto end = static_cast<int>(int64_t{j + 1} * options.rounds / options.segments);
        const Vec mu = draw_means(trajectory, seed, index, static_cast<uint32_t>(j), -kZeroMeanBound, kZeroMeanBound);
        if (begin > 0 && end > begin) trajectory.changes.push_back(begin);
        for (; begin < end; ++begin) {
            trajectory.means.col(begin) = mu;
            trajectory.modifier[begin] = j;
        }
    }
}

void fill_drift(const BanditOptions& options, uint64_t seed, uint32_t index, BanditTrajectory& trajectory) {
    const Vec from = draw_means(trajectory, seed, index, 0, -kZeroMeanBound, kZeroMeanBound);
    const Vec towards = draw_means(trajectory, seed, index, 1, -kZeroMeanBound, kZeroMeanBound);
    int quarter = 0;
    for (int round = 0; round < options.rounds; ++round) {
        const double phi = options.angle * round / std::max(options.rounds - 1, 1);
        trajectory.means.col(round) = std::cos(phi) * from + std::sin(phi) * towards;
        trajectory.modifier[round] = phi;
        const auto turned = static_cast<int>(phi / (std::numbers::pi / 2.0));
        if (turned != quarter) trajectory.changes.push_back(round);
        quarter = turned;
    }
}

// In the order of BanditKind.
constexpr decltype(&fill_cosine) kFill[] = {fill_cosine, fill_elevated, fill_abrupt, fill_drift};

}  // namespace

std::vector<ElevatedWindow> elevated_windows(int count) {
    std::vector<ElevatedWindow> windows;
    for (int k = 0; k < count; ++k) {
        const int first = kFirstWindow + k * kWindowSpan / count;
        const int rounds = std::min(kWindowRounds, kWindowSpan / count / 2);
        windows.push_back({first, first + rounds - 1});
    }
    return windows;
}

void draw_bandit(const BanditOptions& options, uint64_t seed, uint32_t index, BanditTrajectory& trajectory) {
    check(options.rounds >= 1 && options.d >= 1 && options.arms >= 2 && options.segments >= 1,
          "a bandit has rounds, entries, at least two arms and a segment");
    trajectory.options = options;
    trajectory.actions.resize(options.arms, options.d);
    for (int k = 0; k < options.arms; ++k) {
        Stream stream(seed, Purpose::features, index, static_cast<uint32_t>(k));
        for (int i = 0; i < options.d; ++i) trajectory.actions(k, i) = stream.uniform(-1.0, 1.0);
    }
    trajectory.gram = trajectory.actions * trajectory.actions.transpose();
    trajectory.means.resize(options.arms, options.rounds);
    trajectory.noise.resize(options.rounds);
    trajectory.modifier.assign(options.rounds, 0.0);
    trajectory.changes.clear();
    trajectory.noise_scale = options.noise;
    Stream noise(seed, Purpose::reward, index);
    for (double& x : trajectory.noise) x = options.noise * noise.normal();
    kFill[static_cast<size_t>(options.kind)](options, seed, index, trajectory);
    trajectory.best.clear();
    trajectory.best_arm.clear();
    for (const double* means = trajectory.means.begin(); means != trajectory.means.end(); means += options.arms) {
        const double* best = std::max_element(means, means + options.arms);
        trajectory.best.push_back(*best);
        trajectory.best_arm.push_back(static_cast<int>(best - means));
    }
}

BanditVariation variation_of(const BanditTrajectory& trajectory) {
    BanditVariation variation;
    for (int round = 0; round + 1 < trajectory.rounds(); ++round) {
        const double change = (trajectory.means.col(round) - trajectory.means.col(round + 1)).cwiseAbs().maxCoeff();
        variation.amount += change;
        if (change != 0.0) ++variation.segments;
    }
    return variation;
}

const std::vector<std::string>& bandit_kind_names() {
    static const std::vector<std::string> names = {"cosine", "elevated", "abrupt", "drift"};
    return names;
}

BanditOptions draw_bandit_options(const BanditFamily& family, uint64_t seed, uint32_t index) {
    Stream stream(seed, Purpose::task_parameters, index);
    BanditOptions options{.rounds = family.rounds, .d = family.d, .arms = family.arms, .noise = family.noise};
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
    options.windows = family.windows;
    options.segments = 1 + std::min(static_cast<int>(amount * family.max_segments), family.max_segments - 1);
    options.angle = family.max_angle * amount;
    return options;
}

}  // namespace emergence
