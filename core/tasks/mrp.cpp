#include "core/tasks/mrp.h"

#include "core/base/error.h"
#include "core/base/linear_algebra.h"

namespace emergence {

Eigen::VectorXd true_value(const Mrp& mrp, double gamma) {
    const auto m = mrp.transition.rows();
    const Eigen::MatrixXd bellman = Eigen::MatrixXd::Identity(m, m) - gamma * mrp.transition;
    return solve(bellman, mrp.reward);
}

Eigen::VectorXd differential_value(const Mrp& mrp, const Eigen::VectorXd& stationary) {
    // Multiplying (I - p + 1 d') v = r - rbar by d' gives d' v = 0, and then v = r - rbar + p v.
    const auto m = mrp.transition.rows();
    const Eigen::MatrixXd system =
        Eigen::MatrixXd::Identity(m, m) - mrp.transition + Eigen::VectorXd::Ones(m) * stationary.transpose();
    const Eigen::VectorXd centred = mrp.reward.array() - stationary.dot(mrp.reward);
    return solve(system, centred);
}

Eigen::VectorXd stationary_distribution(const Mrp& mrp) {
    // (I - p') x = 0 has rank m-1 for a chain with one recurrent class, so sum x = 1 replaces one equation.
    const auto m = mrp.transition.rows();
    Eigen::MatrixXd balance = Eigen::MatrixXd::Identity(m, m) - mrp.transition.transpose();
    balance.row(m - 1).setOnes();
    Eigen::VectorXd right = Eigen::VectorXd::Zero(m);
    right[m - 1] = 1.0;
    const auto solution = solve_if_regular(balance, right);
    if (!solution) throw InputError("transition: the chain has no unique stationary distribution");
    const Eigen::VectorXd result = solution->cwiseMax(0.0);
    return result / result.sum();
}

void StateSampler::add_row(const double* probabilities, Eigen::Index stride, int count) {
    double sum = 0.0;
    for (int s = 0; s < count; ++s) {
        const double p = probabilities[s * stride];
        if (p <= 0.0) continue;
        sum += p;
        state_.push_back(s);
        cumulative_.push_back(sum);
    }
    begin_.push_back(static_cast<int>(state_.size()));
}

void StateSampler::reset(const Mrp& mrp) {
    const int m = mrp.num_states();
    begin_.assign(1, 0);
    state_.clear();
    cumulative_.clear();
    add_row(mrp.initial.data(), 1, m);
    for (int s = 0; s < m; ++s) add_row(mrp.transition.data() + s, mrp.transition.outerStride(), m);
}

}  // namespace emergence
