#pragma once
// Pairs the seeds of two moments, to subtract one moment from the other.

#include <cstddef>
#include <vector>

#include "core/lab/snapshot.h"

namespace emergence {

struct SeedPairing {
    /// Indices into the seeds of the first moment.
    std::vector<size_t> here;
    /// Indices into the seeds of the other moment; if `paired`, the same seeds in the same order.
    std::vector<size_t> there;
    bool paired = true;
};

/// The seeds of `chosen` (indices into `here`) that `there` has too, by their numbers. If it has none of them, `paired`
/// is false and the means are to be compared: all of `chosen`, and all seeds of `there` that have not failed (all, if
/// all have).
SeedPairing pair_seeds(const Snapshot& here, const std::vector<size_t>& chosen, const Snapshot& there);

}  // namespace emergence
