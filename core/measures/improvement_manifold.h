#pragma once
// The distance of trained blocks from the manifold {(c P12*, V21* / c)} that implements the teacher's update, Eq. (9),
// Liang and Lai, for c of either sign.

#include "core/base/rng.h"
#include "core/models/constructions.h"

namespace emergence {

/// The nearest point of the manifold.
struct ManifoldFit {
    double c = 0.0;
    // Frobenius norm over both blocks.
    double distance = 0.0;
    // distance, divided by the norm of the nearest point.
    double relative = 0.0;
};

/// The nearest point. target: P12* and V21*, both nonzero.
ManifoldFit fit_manifold(const EffectiveBlocks& blocks, const EffectiveBlocks& target);

/// (c P12*, V21*/c) plus `distance` times its norm in a random direction normal to the manifold. For a large distance
/// another point of the manifold may be nearer.
EffectiveBlocks off_manifold(const EffectiveBlocks& target, double c, double distance, Stream& stream);

/// |P12|^2 - |V21|^2. Gradient flow conserves it, since the loss depends only on products of both blocks.
double block_balance(const EffectiveBlocks& blocks);
/// |c| of the manifold's points with this balance, to which a flow with this balance can converge.
double scale_of_balance(const EffectiveBlocks& target, double balance);

}  // namespace emergence
