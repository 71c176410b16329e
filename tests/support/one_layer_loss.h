#pragma once
// The loss that a layer of in-context regression has in expectation.

#include "core/tasks/regression.h"

namespace emergence::testing {

/// The exact in-context loss of one layer with P = diag(0, 1) and Q = diag(A, 0), in expectation over prompts:
///
///     E tr W (I + C A) Sigma (I + C A)',   C = X X'/n,   W: covariance of w*
///
/// A: d x d, symmetric.
inline double one_layer_loss(const Covariance& covariance, WeightPrior prior, int n, const Mat& A) {
    const double count = n;
    const Mat Sigma = covariance.matrix();
    const Mat W =
        prior == WeightPrior::identity ? Mat::Identity(covariance.d(), covariance.d()) : covariance.power(-1.0);
    // Moments of a Wishart matrix:
    //
    //     E C = Sigma,   E C S C = (n+1)/n Sigma S Sigma + (1/n) tr(S Sigma) Sigma
    const Mat S = A * Sigma * A;
    const Mat second = (count + 1) / count * Sigma * S * Sigma + (S * Sigma).trace() / count * Sigma;
    return (W * (Sigma + 2 * Sigma * A * Sigma + second)).trace();
}

}  // namespace emergence::testing
