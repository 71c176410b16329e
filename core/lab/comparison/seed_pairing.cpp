#include "core/lab/comparison/seed_pairing.h"

#include <algorithm>

namespace emergence {

SeedPairing pair_seeds(const Snapshot& here, const std::vector<size_t>& chosen, const Snapshot& there) {
    SeedPairing pairing;
    for (const size_t index : chosen) {
        const auto same = std::find_if(there.seeds.begin(), there.seeds.end(),
                                       [&](const SeedStatus& status) { return status.seed == here.seeds[index].seed; });
        if (same == there.seeds.end()) continue;
        pairing.here.push_back(index);
        pairing.there.push_back(static_cast<size_t>(same - there.seeds.begin()));
    }
    if (!pairing.here.empty()) return pairing;
    pairing.paired = false;
    pairing.here = chosen;
    const bool all_failed =
        std::all_of(there.seeds.begin(), there.seeds.end(), [](const SeedStatus& status) { return status.failed; });
    for (size_t i = 0; i < there.seeds.size(); ++i)
        if (all_failed || !there.seeds[i].failed) pairing.there.push_back(i);
    return pairing;
}

}  // namespace emergence
