#pragma once
// The classical algorithms on one regression task, as plain loops: the reference for in-context regression.

#include <vector>

#include "core/tasks/regression.h"

namespace emergence {

/// The iterates w_0 = 0, w_1, .. of Eq. (11), Ahn et al. 2023:
///
///     w_{l+1} = w_l + A_l grad R(w_l)
///
/// A_l: d x d, negative definite for descent; gradient descent has A_l = -step I.
std::vector<Eigen::VectorXd> preconditioned_descent(const RegressionTask& task, const std::vector<Eigen::MatrixXd>& A);

/// GD++ (von Oswald et al. 2022): gradient steps of size `step` on the residual of y. Between steps all x, the query's
/// too, move by
///
///     x <- (I - shrink (1/n) X X') x
///
/// which evens out the curvature. Returns the implicit w after 0 .. `steps` steps; the prediction is <w, query>.
std::vector<Eigen::VectorXd> gd_plus_plus(const RegressionTask& task, double step, double shrink, int steps);

/// argmin_w |X'w - y|^2 / n + lambda |w|^2; for lambda = 0 the least-norm solution.
Eigen::VectorXd ridge(const RegressionTask& task, double lambda);

/// The preconditioner of Theorem 1, Eq. (8), without its minus sign, for each eigenvalue lambda_i of Sigma:
///
///     w* ~ N(0, I):          1 / ((n+1)/n lambda_i + (1/n) sum_k lambda_k)
///     w* ~ N(0, Sigma^-1):   1 / (lambda_i ((n+1)/n + d/n)), by the same calculation (ours)
Eigen::VectorXd one_layer_preconditioner(const Eigen::VectorXd& eigenvalues, WeightPrior prior, int n);

}  // namespace emergence
