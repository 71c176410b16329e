#pragma once
// The weights of policy improvement as pictures, formulas and arrays.

#include <vector>

#include "core/lab/snapshot.h"
#include "core/models/improvement_constructions.h"

namespace emergence {

/// A seed's blocks that can move, as trained and as it began.
struct SeedBlocks {
    EffectiveBlocks now, initial;
};

/// P and V in full, with what cannot move hatched. `target`: P12*, V21*.
std::vector<NamedMatrix> improvement_matrices(const ImprovementShape& shape, const EffectiveBlocks& target,
                                              const std::vector<SeedBlocks>& seeds);
std::vector<Formula> improvement_formulas(Improvement algorithm);
/// The blocks that move, seeds x rows x columns: P12, V21.
ArrayMap improvement_arrays(const std::vector<SeedBlocks>& seeds);

}  // namespace emergence
