#include "core/tasks/mrp.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/linear_algebra.h"
#include "core/base/statistics.h"

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

std::vector<int> transient_states(const Mrp& mrp) {
    // The states that can be reached from one that is visited for ever are visited for ever.
    Eigen::Index first = 0;
    stationary_distribution(mrp).maxCoeff(&first);
    std::vector<bool> returns(static_cast<size_t>(mrp.num_states()), false);
    std::vector<int> reached = {static_cast<int>(first)};
    returns[static_cast<size_t>(first)] = true;
    while (!reached.empty()) {
        const int from = reached.back();
        reached.pop_back();
        for (int to = 0; to < mrp.num_states(); ++to)
            if (mrp.transition(from, to) > 0.0 && !returns[static_cast<size_t>(to)]) {
                returns[static_cast<size_t>(to)] = true;
                reached.push_back(to);
            }
    }
    std::vector<int> left;
    for (int s = 0; s < mrp.num_states(); ++s)
        if (!returns[static_cast<size_t>(s)]) left.push_back(s);
    return left;
}

Eigen::VectorXd error_weights(const Mrp& mrp, const Eigen::VectorXd& stationary) {
    const std::vector<int> left = transient_states(mrp);
    // Of states that pay and stay there is something to err about.
    double paid = 0.0;
    for (int s = 0; s < mrp.num_states(); ++s)
        if (std::find(left.begin(), left.end(), s) == left.end()) paid += std::abs(mrp.reward[s]);
    const bool ends = left.size() + 1 == static_cast<size_t>(mrp.num_states()) || paid == 0.0;
    if (left.empty() || !ends) return stationary;
    // Visits x to the states that are left: x = p_0 + p' x among them.
    const auto n = static_cast<Eigen::Index>(left.size());
    Eigen::MatrixXd balance = Eigen::MatrixXd::Identity(n, n);
    Eigen::VectorXd begun(n);
    for (Eigen::Index i = 0; i < n; ++i) {
        begun[i] = mrp.initial[left[static_cast<size_t>(i)]];
        for (Eigen::Index j = 0; j < n; ++j)
            balance(i, j) -= mrp.transition(left[static_cast<size_t>(j)], left[static_cast<size_t>(i)]);
    }
    const auto visits = solve_if_regular(balance, begun);
    if (!visits || !(visits->sum() > 0.0)) return stationary;  // it never begins in one of them
    Eigen::VectorXd weights = Eigen::VectorXd::Zero(stationary.size());
    for (Eigen::Index i = 0; i < n; ++i)
        weights[left[static_cast<size_t>(i)]] = larger(0.0, (*visits)[i]) / visits->sum();
    return weights;
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

std::vector<int> draw_path(const Mrp& mrp, int n, Stream& stream) {
    StateSampler sampler;
    sampler.reset(mrp);
    std::vector<int> path = {sampler.first(stream.uniform())};
    for (int j = 0; j < n; ++j) path.push_back(sampler.next(path.back(), stream.uniform()));
    return path;
}

Transitions transitions_along(const Mrp& mrp, double gamma, const std::vector<int>& path) {
    const auto n = static_cast<Eigen::Index>(path.size()) - 1;
    Transitions context{Eigen::MatrixXd(mrp.d(), n), Eigen::MatrixXd(mrp.d(), n), Eigen::VectorXd(n)};
    for (Eigen::Index j = 0; j < n; ++j) {
        const int state = path[j], next = path[static_cast<size_t>(j) + 1];
        context.phi.col(j) = mrp.features.col(state);
        context.gamma_phi_next.col(j) = gamma * mrp.features.col(next);
        context.reward[j] = mrp.reward[state];
    }
    return context;
}

Transitions draw_transitions(const Mrp& mrp, double gamma, int n, Stream& stream) {
    return transitions_along(mrp, gamma, draw_path(mrp, n, stream));
}

Eigen::MatrixXd td_prompt(const Transitions& context, const Eigen::VectorXd& query) {
    const auto d = context.phi.rows(), n = context.phi.cols();
    Eigen::MatrixXd Z = Eigen::MatrixXd::Zero(2 * d + 1, n + 1);
    Z.topLeftCorner(d, n) = context.phi;
    Z.block(d, 0, d, n) = context.gamma_phi_next;
    Z.bottomLeftCorner(1, n) = context.reward.transpose();
    Z.col(n).head(d) = query;
    return Z;
}

}  // namespace emergence
