#pragma once
// Inside core/lab/quantity: intervals of what is computed from shares of seeds.

#include <optional>

#include "core/lab/quantity/columns.h"

namespace emergence {

struct ShareInterval {
    /// Of a number that shares make: of one share Wilson's, carried through whatever is computed from it, of sums and
    /// differences Newcombe's. nullopt if the number has no end or is made of more.
    std::optional<Range> range = {};
    /// Something that none or all of the seeds have is in it, of which no draw says how sure it is.
    bool certain = false;
};
ShareInterval share_interval_of(const Quantity& quantity, const std::vector<RunView>& runs, size_t of_run,
                                const Units& units);

}  // namespace emergence
