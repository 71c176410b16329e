#pragma once
// The weights that carry out the teachers' updates, Theorems 3.1 and 3.3 of Liang and Lai, and the full
// matrices that the blocks which matter stand in.

#include <vector>

#include "core/base/eigen.h"
#include "core/tasks/improvement_shape.h"

namespace emergence {

/// The blocks of P and V that the read-out sees and that move from zero: all there is to train.
struct EffectiveBlocks {
    Eigen::MatrixXd P12;  // r x c
    Eigen::MatrixXd V21;  // o x r: the last rows of V's lower left block
};

/// P12* and V21*, Eq. (5) and (14): step sizes alpha of SARSA or the actor, beta of the critic.
EffectiveBlocks constructed_blocks(const ImprovementShape& shape, double alpha, double beta);
/// (c P12, V21 / c): the same update for any c other than 0.
EffectiveBlocks rescaled(const EffectiveBlocks& blocks, double c);

/// The blocks from weights as ImprovementBlock has them, and back.
template <class T>
EffectiveBlocks blocks_of(const ImprovementShape& shape, const T* weights);
template <class T>
std::vector<T> weights_of(const ImprovementShape& shape, const EffectiveBlocks& blocks);

/// P and V: D x D, zero outside of the blocks.
struct FullMatrices {
    Eigen::MatrixXd P, V;
};
FullMatrices full_matrices(const ImprovementShape& shape, const EffectiveBlocks& blocks);

}  // namespace emergence
