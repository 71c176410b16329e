#include "core/algorithms/weighted_softmax_td.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace emergence {

std::vector<Eigen::VectorXd> weighted_softmax_td(const StateSequence& context, const Similarity& similarity,
                                                 bool normalised, double gamma, double step, int steps) {
    const auto n = context.rewards.size();
    std::vector<Eigen::VectorXd> v = {Eigen::VectorXd::Zero(n + 1)};
    for (int l = 0; l < steps; ++l) {
        const Eigen::VectorXd& now = v.back();
        Eigen::VectorXd next = now;
        for (Eigen::Index s = 0; s <= n; ++s) {
            double sum = 0.0, total = 0.0;
            for (Eigen::Index k = 0; k < n; ++k) {
                const double weight = similarity(context.features.col(k), context.features.col(s));
                const double td_error = context.rewards[k] + gamma * now[k + 1] - now[k];
                sum += weight * td_error;
                total += weight;
            }
            next[s] += step * sum / (normalised ? total : static_cast<double>(n));
        }
        v.push_back(std::move(next));
    }
    return v;
}

Eigen::MatrixXd state_kernel(const Eigen::VectorXd& weights, const Eigen::MatrixXd& scores) {
    const auto m = scores.rows();
    Eigen::MatrixXd kernel = Eigen::MatrixXd::Zero(m, m);
    for (Eigen::Index s = 0; s < m; ++s) {
        double largest = -std::numeric_limits<double>::infinity();
        for (Eigen::Index other = 0; other < m; ++other)
            if (weights[other] > 0) largest = std::max(largest, scores(other, s));
        for (Eigen::Index other = 0; other < m; ++other)
            if (weights[other] > 0) kernel(s, other) = weights[other] * std::exp(scores(other, s) - largest);
        kernel.row(s) /= kernel.row(s).sum();
    }
    return kernel;
}

SoftmaxTdOperators softmax_td_operators(const Eigen::MatrixXd& counts, const Eigen::MatrixXd& scores) {
    const Eigen::VectorXd left = counts.rowwise().sum();
    SoftmaxTdOperators operators{state_kernel(left, scores), {}};
    Eigen::MatrixXd transition = counts;  // as seen; rows of states never left stay 0
    for (Eigen::Index s = 0; s < counts.rows(); ++s)
        if (left[s] > 0) transition.row(s) /= left[s];
    operators.P = operators.M * transition;
    return operators;
}

Eigen::VectorXd softmax_td_step(const SoftmaxTdOperators& operators, const Eigen::VectorXd& rewards,
                                const Eigen::VectorXd& v, double gamma, double step) {
    return v + step * (operators.M * (rewards - v) + gamma * (operators.P * v));
}

double diagonality_margin(const Eigen::MatrixXd& kernel, double gamma) {
    const Eigen::VectorXd diagonal = kernel.diagonal();
    return (2.0 * diagonal - kernel.rowwise().sum()).minCoeff() - gamma;
}

}  // namespace emergence
