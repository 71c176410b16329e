#pragma once
// Which seeds of two moments are compared with each other where one is subtracted from the other.

#include <cstddef>
#include <vector>

#include "core/lab/snapshot.h"

namespace emergence {

struct SeedPairing {
    std::vector<size_t> here;   // indices into the one moment's seeds
    std::vector<size_t> there;  // into the other's: of the same seeds, one each, where `paired`
    bool paired = true;
};

/// Those of `chosen` that the other moment has too, by their numbers. Where it has none of them, all of
/// `chosen` beside all of the other's that did not fail (all, where all did), whose means can be compared;
/// `paired` is false then.
SeedPairing pair_seeds(const Snapshot& here, const std::vector<size_t>& chosen, const Snapshot& there);

}  // namespace emergence
