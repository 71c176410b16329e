#pragma once
// Weights that are proven to implement an algorithm.

#include "core/base/eigen.h"

namespace emergence {

/// P and Q of one layer, D x D with D = 2d+1.
struct ConstructedLayer {
    Eigen::MatrixXd P;
    Eigen::MatrixXd Q;
};

/// Theorem 1, Eq. (7), Wang et al. 2025: batch TD(0) preconditioned by C (d x d). P is zero but for its
/// corner 1; Q's upper left is -C', its upper right C'.
ConstructedLayer td_construction(const Eigen::MatrixXd& C);

/// Corollary 1, Eq. (9): as Theorem 1 for a single layer, whose first step from w = 0 needs no bootstrapping
/// block.
ConstructedLayer single_layer_td_construction(const Eigen::MatrixXd& C);

}  // namespace emergence
