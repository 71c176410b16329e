#pragma once
// How far trained blocks are from the manifold of those that carry out the teacher's update,
// {(c P12*, V21* / c)}, Eq. (9) of Liang and Lai, for c of either sign.

#include "core/base/rng.h"
#include "core/models/improvement_constructions.h"

namespace emergence {

struct ManifoldFit {
    double c = 0.0;         // of the nearest point
    double distance = 0.0;  // Frobenius norm over both blocks
    double relative = 0.0;  // that over the norm of the nearest point
};

/// The nearest point. `target`: P12*, V21*, both not 0.
ManifoldFit fit_manifold(const EffectiveBlocks& blocks, const EffectiveBlocks& target);

/// (c P12*, V21*/c) and, added to it, `distance` times its norm in a random direction normal to the manifold
/// there. For a large distance another point of the manifold may be nearer.
EffectiveBlocks off_manifold(const EffectiveBlocks& target, double c, double distance, Stream& stream);

/// |P12|^2 - |V21|^2. Gradient flow keeps it whatever the loss, which only knows products of both.
double block_balance(const EffectiveBlocks& blocks);
/// |c| of the manifold's points with that balance: where a flow that arrives, arrives.
double scale_of_balance(const EffectiveBlocks& target, double balance);

}  // namespace emergence
