#pragma once
// The classical algorithms on one regression task, as plain loops: what in-context regression is held
// against.

#include <vector>

#include "core/tasks/regression.h"

namespace emergence {

/// The iterates w_0 = 0, w_1, .. of w_{l+1} = w_l + A_l grad R(w_l), Eq. (11), Ahn et al. 2023; A_l is
/// negative definite where it descends. Gradient descent has A_l = -step I.
std::vector<Eigen::VectorXd> preconditioned_descent(const RegressionTask& task,
                                                    const std::vector<Eigen::MatrixXd>& A);

/// GD++ (von Oswald et al. 2022): before each further step the x, the query's too, are moved by
/// x <- (I - shrink (1/n) X X') x, which evens out the curvature; then a gradient step of size `step` on what
/// is left of y. The implicit w after each of `steps` steps: the prediction is <w, query>.
std::vector<Eigen::VectorXd> gd_plus_plus(const RegressionTask& task, double step, double shrink, int steps);

/// argmin_w |X'w - y|^2 / n + lambda |w|^2. With lambda = 0 the least-norm solution.
Eigen::VectorXd ridge(const RegressionTask& task, double lambda);

/// Theorem 1's preconditioner, Eq. (8), in the eigenvectors' coordinates: for each eigenvalue lambda_i of
/// Sigma the 1 / ((n+1)/n lambda_i + (1/n) sum_k lambda_k), without the minus sign, for w* ~ N(0, I). For
/// w* ~ N(0, Sigma^-1) the same calculation gives 1 / (lambda_i ((n+1)/n + d/n)) (ours).
Eigen::VectorXd one_layer_preconditioner(const Eigen::VectorXd& eigenvalues, WeightPrior prior, int n);

/// The in-context loss of one layer with P = diag(0, 1) and Q = diag(A, 0), exactly, in expectation over
/// prompts: E tr W (I + C A) Sigma (I + C A)', with C = X X'/n and W the covariance of w*. A: symmetric.
double one_layer_loss(const Covariance& covariance, WeightPrior prior, int n, const Eigen::MatrixXd& A);

}  // namespace emergence
