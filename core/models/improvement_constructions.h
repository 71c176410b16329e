#pragma once
// The weights that implement the teachers' updates, Theorems 3.1 and 3.3, Liang and Lai, and the full matrices
// around the trained blocks.

#include <vector>

#include "core/base/linear_algebra.h"
#include "core/tasks/improvement_shape.h"

namespace emergence {

/// The blocks of P and V that training can change: the read-out sees no others.
struct EffectiveBlocks {
    // r x c
    Eigen::MatrixXd P12;
    // o x r: the last rows of V's lower left block.
    Eigen::MatrixXd V21;
};

/// P12* and V21*, Eqs. (5) and (14). alpha: step size of SARSA or of the actor; beta: of the critic.
EffectiveBlocks constructed_blocks(const ImprovementShape& shape, double alpha, double beta);
/// (c P12, V21 / c), which gives the same update for every c except 0.
EffectiveBlocks rescaled(const EffectiveBlocks& blocks, double c);

/// Convert between the blocks and the weights of an ImprovementBlock (ImprovementLayout).
template <class T>
EffectiveBlocks blocks_of(const ImprovementShape& shape, const T* weights);
template <class T>
std::vector<T> weights_of(const ImprovementShape& shape, const EffectiveBlocks& blocks);

/// P and V: D x D, zero outside the blocks.
struct FullMatrices {
    Eigen::MatrixXd P, V;
};
/// P with P12 in its upper right corner, V with V21 in its lower left corner.
FullMatrices full_matrices(const ImprovementShape& shape, const EffectiveBlocks& blocks);

}  // namespace emergence
