#pragma once
// The weights of policy improvement as pictures, formulas and arrays.

#include <vector>

#include "core/lab/snapshot.h"
#include "core/models/improvement_constructions.h"

namespace emergence {

/// The blocks of a seed that can move, as trained and at the start.
struct SeedBlocks {
    EffectiveBlocks now, initial;
};

/// The full P and V, with the blocks that cannot move hatched. `target`: P12*, V21*.
std::vector<NamedMatrix> improvement_matrices(const ImprovementShape& shape, const EffectiveBlocks& target,
                                              const std::vector<SeedBlocks>& seeds);

/// The teacher's update, Eq. (2) or (3) of Liang and Lai, tied to the blocks that carry it out.
std::vector<Formula> improvement_formulas(Improvement algorithm);
/// The blocks that move, seeds x rows x columns: P12, V21.
ArrayMap improvement_arrays(const std::vector<SeedBlocks>& seeds);

}  // namespace emergence
