#pragma once
// The block as Eq. (1) of Liang and Lai writes it, with all entries of P and V: the reference that the fast
// path is compared with.

#include "core/base/eigen.h"

namespace emergence {

/// H + (1/n) (V H)(H' P H), n = columns of H - 1.
inline Eigen::MatrixXd naive_improvement(const Eigen::MatrixXd& P, const Eigen::MatrixXd& V,
                                         const Eigen::MatrixXd& H) {
    const double n = static_cast<double>(H.cols() - 1);
    return H + (V * H) * (H.transpose() * P * H) / n;
}

struct NaiveImprovementGradient {
    double loss;           // 1/2 |last column's last entries - target|^2
    Eigen::MatrixXd P, V;  // its gradient: D x D each
};

/// target: what the last entries of the last column should become, parameters and update together.
inline NaiveImprovementGradient naive_improvement_gradient(const Eigen::MatrixXd& P, const Eigen::MatrixXd& V,
                                                           const Eigen::MatrixXd& H,
                                                           const Eigen::VectorXd& target) {
    const double n = static_cast<double>(H.cols() - 1);
    const Eigen::MatrixXd VH = V * H, scores = H.transpose() * P * H / n;
    const Eigen::MatrixXd out = H + VH * scores;
    Eigen::MatrixXd error = Eigen::MatrixXd::Zero(H.rows(), H.cols());
    error.rightCols(1).bottomRows(target.size()) = out.rightCols(1).bottomRows(target.size()) - target;
    // out = H + V H S, S = H' P H / n:  dV = E (H S)',  dS = (V H)' E,  dP = H dS H' / n.
    const Eigen::MatrixXd score_gradient = VH.transpose() * error / n;
    return {0.5 * error.squaredNorm(), H * score_gradient * H.transpose(), error * (H * scores).transpose()};
}

}  // namespace emergence
