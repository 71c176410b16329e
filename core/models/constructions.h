#pragma once
// Weights and masks that are proven to implement an algorithm (Wang et al. 2025). C: d x d, any matrix: the
// algorithm's preconditioner; C = alpha I is a step size.

#include <vector>

#include "core/base/matrix.h"
#include "core/tasks/layouts.h"

namespace emergence {

/// P and Q of one layer, D x D with D = 2d+1.
struct ConstructedLayer {
    Mat P;
    Mat Q;
};

/// Theorem 1, Eq. (7), Wang et al. 2025: batch TD(0). P is 1 in its last corner and 0 elsewhere; Q is [-C' C'] in its
/// upper left and 0 elsewhere. With td_lambda_mask() the same weights run TD(lambda), Corollary 3.
ConstructedLayer td_construction(const Mat& C);

/// Corollary 1, Eq. (9), Wang et al. 2025: Theorem 1 for a single layer. Its step starts at w = 0, so Q needs no
/// bootstrapping block C'.
ConstructedLayer single_layer_td_construction(const Mat& C);

/// Corollary 2, Eq. (12), Wang et al. 2025: residual gradient. Q has the two blocks of Theorem 1 and, below them, their
/// negatives.
ConstructedLayer residual_gradient_construction(const Mat& C);

/// Two heads with a common Q, joined by W. W: (2d+2) x (4d+4); each P, Q: (2d+2) x (2d+2).
struct TwoHeadLayer {
    Mat P_reward;
    Mat P_memory;
    Mat Q;
    Mat W;
};

/// Theorem 3, Eqs. (15) and (16), Wang et al. 2025: average-reward TD, on prompts whose last row is memory. The printed
/// W has 2d+1 rows, one too few; we follow the proof (Appendix A.6), where its only nonzero row is the last of 2d+2.
TwoHeadLayer average_reward_construction(const Mat& C);

/// Eq. (2), Wang et al. 2025: the mask that removes the query's column from the context. (n+1) x (n+1).
Mat context_mask(int n);

/// Eq. (14), Wang et al. 2025: entry (i, j) is decay^(i-j) for j <= i < n, else 0. (n+1) x (n+1).
Mat td_lambda_mask(int n, double decay);

/// Eq. (17), Wang et al. 2025: the reward head's mask, which subtracts the running mean from each reward. (n+1) x
/// (n+1).
Mat centring_mask(int n);

/// Eq. (1), Wang et al. 2025 with any mask M: P Z M (Z' Q Z). Z: D x (n+1).
Mat linear_attention(const Mat& Z, const Mat& P, const Mat& Q, const Mat& M);

/// TwoHead of Eq. (18), Wang et al. 2025: W [P_reward Z M_reward (Z' Q Z); P_memory Z M_memory (Z' Q Z)]. Z: (2d+2) x
/// (n+1).
Mat two_head_attention(const Mat& Z, const TwoHeadLayer& layer, const Mat& M_reward, const Mat& M_memory);

// The weights that implement the teachers' updates, Theorems 3.1 and 3.3, Liang and Lai, and the full matrices
// around the trained blocks.

/// The blocks of P and V that training can change: the read-out sees no others.
struct EffectiveBlocks {
    Mat P12;  // r x c
    Mat V21;  // o x r: the last rows of V's lower left block
};

/// P12* and V21*, Eqs. (5) and (14), Liang and Lai. alpha: step size of SARSA or of the actor; beta: of the critic.
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
    Mat P, V;
};
/// P with P12 in its upper right corner, V with V21 in its lower left corner.
FullMatrices full_matrices(const ImprovementShape& shape, const EffectiveBlocks& blocks);

}  // namespace emergence
