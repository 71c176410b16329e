#pragma once
// The comparisons of Appendix D.1.2, Wang et al. 2025, for any value function of one context.

#include "core/base/eigen.h"

namespace emergence {

/// VD: sum_s d(s) (v1(s) - v2(s))^2. All arguments: m.
double value_difference(const Eigen::VectorXd& v1, const Eigen::VectorXd& v2,
                        const Eigen::VectorXd& stationary);

/// The implicit weight, w = argmin sum_s d(s) (w' phi(s) - v(s))^2, of least norm if it is not unique. features: d x m;
/// v, stationary: m.
Eigen::VectorXd implicit_weight(const Eigen::MatrixXd& features, const Eigen::VectorXd& v,
                                const Eigen::VectorXd& stationary);

/// The cosine of the angle between two vectors; 0 if one is 0.
double cosine_similarity(const Eigen::VectorXd& a, const Eigen::VectorXd& b);

/// SS: sum_s d(s) cos(gradient1(s), gradient2(s)). gradients: d x m, one gradient by phi(s) per column.
double sensitivity_similarity(const Eigen::MatrixXd& gradients1, const Eigen::MatrixXd& gradients2,
                              const Eigen::VectorXd& stationary);

/// MSVE: sum_s d(s) (estimate(s) - v(s))^2.
double mean_square_value_error(const Eigen::VectorXd& estimate, const Eigen::VectorXd& v,
                               const Eigen::VectorXd& stationary);

}  // namespace emergence
