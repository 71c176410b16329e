#pragma once
// How far trained blocks are from the manifold of those that carry out the teacher's update,
// {(c P12*, V21* / c)}, Eq. (9) of Liang and Lai, for c of either sign.

#include "core/models/improvement_constructions.h"

namespace emergence {

struct ManifoldFit {
    double c = 0.0;         // of the nearest point
    double distance = 0.0;  // Frobenius norm over both blocks
    double relative = 0.0;  // that over the norm of the nearest point
};

/// The nearest point. `target`: P12*, V21*, both not 0.
ManifoldFit fit_manifold(const EffectiveBlocks& blocks, const EffectiveBlocks& target);

}  // namespace emergence
