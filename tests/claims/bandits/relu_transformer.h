#pragma once
// The transformer of Section 2.2, Chen et al. 2025, as it is written there, in double: ReLU attention with masks, and
// ReLU layers. For constructions; the fast one that trains is causal_transformer.h.

#include <vector>

#include "core/base/linear_algebra.h"

namespace emergence {

/// One head. Rows of Q and K that would be 0 are left out, so that both have r rows.
struct ReluHead {
    // r x D, r x D, D x D
    Eigen::MatrixXd Q, K, V;
};

/// The heads and the feed-forward part, either of which may be empty.
struct ReluLayer {
    std::vector<ReluHead> heads;
    // D' x D, D x D'
    Eigen::MatrixXd W_1, W_2;
};

/// Replaces token `i` of H (D x T, counted from 0) by the layer's output for it, which sees the tokens up to it:
///
///     h  <-  h + 1/(i + 1) sum_m sum_{j <= i} ReLU(<Q_m h, K_m h_j>) V_m h_j
///     h  <-  h + W_2 ReLU(W_1 h)
///
/// The noncontinuous transformer (Definition 7) passes one token after another through all layers.
void pass_token(const ReluLayer& layer, Eigen::Index i, Eigen::MatrixXd& H);

/// The norm of a transformer, Eq. (4).
double norm_of(const std::vector<ReluLayer>& layers);

}  // namespace emergence
