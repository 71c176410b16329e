#include "core/tasks/improvement_task.h"

#include <cmath>

#include "core/base/linear_algebra.h"

namespace emergence {

namespace {

// A draw from Dirichlet(1, ..., 1): normalised exponential variates.
Eigen::VectorXd draw_simplex(Stream& stream, int size) {
    Eigen::VectorXd p(size);
    for (int i = 0; i < size; ++i) p(i) = -std::log(stream.uniform());
    return p / p.sum();
}

}  // namespace

Mdp random_mdp(int num_states, int num_actions, uint64_t seed, uint32_t index) {
    Mdp mdp;
    mdp.num_states = num_states;
    mdp.num_actions = num_actions;
    Stream initial(seed, Purpose::initial_distribution, index);
    mdp.initial = draw_simplex(initial, num_states);
    Stream transition(seed, Purpose::transition, index), reward(seed, Purpose::reward, index);
    mdp.transition.resize(num_states * num_actions, num_states);
    for (Eigen::Index row = 0; row < mdp.transition.rows(); ++row)
        mdp.transition.row(row) = draw_simplex(transition, num_states).transpose();
    mdp.reward.resize(num_actions, num_states);
    for (int a = 0; a < num_actions; ++a)
        for (int s = 0; s < num_states; ++s) mdp.reward(a, s) = reward.uniform(-1.0, 1.0);
    return mdp;
}

Eigen::VectorXd expected_reward(const Mdp& mdp) {
    Eigen::VectorXd expected(mdp.transition.rows());
    for (int s = 0; s < mdp.num_states; ++s)
        for (int a = 0; a < mdp.num_actions; ++a)
            expected(mdp.pair(s, a)) = mdp.transition.row(mdp.pair(s, a)).dot(mdp.reward.row(a));
    return expected;
}

Eigen::MatrixXd action_values(const Mdp& mdp, const Eigen::VectorXd& values, double gamma) {
    const Eigen::VectorXd flat = expected_reward(mdp) + gamma * (mdp.transition * values);
    Eigen::MatrixXd q(mdp.num_states, mdp.num_actions);
    for (int s = 0; s < mdp.num_states; ++s)
        for (int a = 0; a < mdp.num_actions; ++a) q(s, a) = flat(mdp.pair(s, a));
    return q;
}

Eigen::VectorXd best_exploring_values(const Mdp& mdp, double gamma, double epsilon) {
    constexpr double kSettled = 1e-13;
    Eigen::VectorXd v = Eigen::VectorXd::Zero(mdp.num_states);
    for (;;) {
        const Eigen::MatrixXd q = action_values(mdp, v, gamma);
        const Eigen::VectorXd next = (1.0 - epsilon) * q.rowwise().maxCoeff() + epsilon * q.rowwise().mean();
        const double change = (next - v).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
        v = next;
        if (!(change > kSettled)) return v;
    }
}

Eigen::MatrixXd optimal_action_values(const Mdp& mdp, double gamma) {
    return action_values(mdp, best_exploring_values(mdp, gamma, 0.0), gamma);
}

Eigen::VectorXd policy_values(const Mdp& mdp, const Eigen::MatrixXd& policy, double gamma) {
    const Eigen::VectorXd expected = expected_reward(mdp);
    Eigen::MatrixXd system = Eigen::MatrixXd::Identity(mdp.num_states, mdp.num_states);
    Eigen::VectorXd reward = Eigen::VectorXd::Zero(mdp.num_states);
    for (int s = 0; s < mdp.num_states; ++s)
        for (int a = 0; a < mdp.num_actions; ++a) {
            system.row(s) -= gamma * policy(s, a) * mdp.transition.row(mdp.pair(s, a));
            reward(s) += policy(s, a) * expected(mdp.pair(s, a));
        }
    return solve(system, reward);
}

Eigen::MatrixXd greedy_policy(const Eigen::MatrixXd& scores) {
    Eigen::MatrixXd policy = Eigen::MatrixXd::Zero(scores.rows(), scores.cols());
    for (Eigen::Index s = 0; s < scores.rows(); ++s) {
        Eigen::Index best = 0;
        scores.row(s).maxCoeff(&best);
        policy(s, best) = 1.0;
    }
    return policy;
}

namespace {

// Sub-stream of an agent's first parameters; sub-stream 0 draws those of a network.
constexpr uint32_t kAgentStart = 1;

Eigen::MatrixXd uniform_rows(Stream& stream, int rows, int columns) {
    Eigen::MatrixXd values(rows, columns);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) values(i, j) = stream.uniform(-1.0, 1.0);
    return values;
}

}  // namespace

ImprovementTask random_improvement_task(const ImprovementSizes& sizes, uint64_t seed, uint32_t index) {
    ImprovementTask task;
    task.mdp = random_mdp(sizes.num_states, sizes.num_actions, seed, index);
    const int pairs = sizes.num_states * sizes.num_actions;
    Stream value(seed, Purpose::features, index, 0), policy(seed, Purpose::features, index, 1);
    task.value_features =
        uniform_rows(value, sizes.algorithm == Improvement::sarsa ? pairs : sizes.num_states, sizes.d);
    task.policy_features = uniform_rows(policy, pairs, sizes.m);
    Stream start(seed, Purpose::initial_weights, index, kAgentStart);
    task.start = uniform_rows(start, sizes.parameters(), 1);
    return task;
}

}  // namespace emergence
