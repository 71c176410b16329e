#include "core/algorithms/regression_descent.h"

#include "core/base/linear_algebra.h"

namespace emergence {

std::vector<Eigen::VectorXd> preconditioned_descent(const RegressionTask& task, const std::vector<Eigen::MatrixXd>& A) {
    std::vector<Eigen::VectorXd> iterates = {Eigen::VectorXd::Zero(task.w_star.size())};
    for (const Eigen::MatrixXd& preconditioner : A) {
        const Eigen::VectorXd& w = iterates.back();
        iterates.push_back(w + preconditioner * task.gradient(w));
    }
    return iterates;
}

std::vector<Eigen::VectorXd> gd_plus_plus(const RegressionTask& task, double step, double shrink, int steps) {
    const Eigen::Index d = task.X.rows();
    const double n = static_cast<double>(task.X.cols());
    // X = moved * task.X are the moved x; the query moves alike. residual = y - predictions. Weights refer to the x
    // that were given.
    Eigen::MatrixXd X = task.X;
    Eigen::MatrixXd moved = Eigen::MatrixXd::Identity(d, d);
    Eigen::VectorXd residual = task.y();
    std::vector<Eigen::VectorXd> weights = {Eigen::VectorXd::Zero(d)};
    for (int l = 0; l < steps; ++l) {
        const Eigen::VectorXd gradient = -X * residual / n;
        weights.push_back(weights.back() - step * (moved.transpose() * gradient));
        residual += step * (X.transpose() * gradient);
        const Eigen::MatrixXd move = Eigen::MatrixXd::Identity(d, d) - shrink / n * (X * X.transpose());
        X = move * X;
        moved = move * moved;
    }
    return weights;
}

Eigen::VectorXd ridge(const RegressionTask& task, double lambda) {
    const double n = static_cast<double>(task.X.cols());
    if (lambda <= 0) return least_norm_solution(task.X.transpose(), task.y());
    const Eigen::MatrixXd normal =
        task.X * task.X.transpose() / n + lambda * Eigen::MatrixXd::Identity(task.X.rows(), task.X.rows());
    return solve_positive(normal, task.X * task.y() / n);
}

Eigen::VectorXd one_layer_preconditioner(const Eigen::VectorXd& eigenvalues, WeightPrior prior, int n) {
    const double count = n, d = static_cast<double>(eigenvalues.size());
    if (prior == WeightPrior::inverse_covariance)
        return (eigenvalues.array() * ((count + 1 + d) / count)).inverse().matrix();
    return (eigenvalues.array() * ((count + 1) / count) + eigenvalues.sum() / count).inverse().matrix();
}

}  // namespace emergence
