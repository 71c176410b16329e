#include "core/algorithms/policy_agent.h"

#include <algorithm>
#include <cmath>

#include "core/base/linear_algebra.h"

namespace emergence {

namespace {

// Sub-stream of an agent's first parameters; sub-stream 0 draws those of a network.
constexpr uint32_t kAgentStart = 1;

// A draw from Dirichlet(1, ..., 1): normalised exponential variates.
Vec draw_simplex(Stream& stream, int size) {
    Vec p(size);
    for (int i = 0; i < size; ++i) p(i) = -std::log(stream.uniform());
    return p / p.sum();
}

Mat uniform_rows(Stream& stream, int rows, int columns) {
    Mat values(rows, columns);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) values(i, j) = stream.uniform(-1.0, 1.0);
    return values;
}

// r(s, a) = sum_s' P(s' | s, a) r(a, s'): states * actions.
Vec expected_reward(const Mdp& mdp) {
    Vec expected(mdp.transition.rows());
    for (int s = 0; s < mdp.num_states; ++s)
        for (int a = 0; a < mdp.num_actions; ++a)
            expected(mdp.pair(s, a)) = mdp.transition.row(mdp.pair(s, a)).dot(mdp.reward.row(a));
    return expected;
}

}  // namespace

Mdp random_mdp(int num_states, int num_actions, uint64_t seed, uint32_t index) {
    Stream initial(seed, Purpose::initial_distribution, index), transition(seed, Purpose::transition, index),
        reward(seed, Purpose::reward, index);
    Mdp mdp{num_states, num_actions, draw_simplex(initial, num_states), {}, {}};
    mdp.transition.resize(num_states * num_actions, num_states);
    for (Index row = 0; row < mdp.transition.rows(); ++row)
        mdp.transition.row(row) = draw_simplex(transition, num_states).transpose();
    mdp.reward = uniform_rows(reward, num_actions, num_states);
    return mdp;
}

Mat action_values(const Mdp& mdp, const Vec& values, double gamma) {
    const Vec flat = expected_reward(mdp) + gamma * (mdp.transition * values);
    return ConstMatView::by_rows(flat.data(), mdp.num_states, mdp.num_actions);
}

Vec best_exploring_values(const Mdp& mdp, double gamma, double epsilon) {
    constexpr double kSettled = 1e-13;
    Vec v = Vec::Zero(mdp.num_states);
    for (;;) {
        const Mat q = action_values(mdp, v, gamma);
        Vec next = epsilon * (q.rowSums() / mdp.num_actions);
        for (int s = 0; s < mdp.num_states; ++s) next[s] += (1.0 - epsilon) * q.row(s).maxCoeff();
        const double change = (next - v).cwiseAbs().maxCoeff();
        v = next;
        if (!(change > kSettled)) return v;
    }
}

Mat optimal_action_values(const Mdp& mdp, double gamma) {
    return action_values(mdp, best_exploring_values(mdp, gamma, 0.0), gamma);
}

Vec policy_values(const Mdp& mdp, const Mat& policy, double gamma) {
    const Vec expected = expected_reward(mdp);
    Mat system = Mat::Identity(mdp.num_states, mdp.num_states);
    Vec reward = Vec::Zero(mdp.num_states);
    for (int s = 0; s < mdp.num_states; ++s)
        for (int a = 0; a < mdp.num_actions; ++a) {
            system.row(s) -= gamma * policy(s, a) * mdp.transition.row(mdp.pair(s, a));
            reward(s) += policy(s, a) * expected(mdp.pair(s, a));
        }
    return solve(system, reward);
}

Mat greedy_policy(const Mat& scores) {
    Mat policy = Mat::Zero(scores.rows(), scores.cols());
    for (Index s = 0; s < scores.rows(); ++s) {
        const Vec row = scores.row(s);
        policy(s, std::max_element(row.begin(), row.end()) - row.begin()) = 1.0;
    }
    return policy;
}

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

template <class T>
PolicyAgent<T>::PolicyAgent(const ImprovementShape& shape, const AgentOptions& options)
    : shape_(shape), options_(options), window_(static_cast<size_t>(shape.n) + 1) {}

template <class T>
void PolicyAgent<T>::begin(const ImprovementTask& task) {
    task_ = &task;
    value_features_ = eigen(task.value_features).template cast<T>();
    discounted_features_ = static_cast<T>(options_.gamma) * value_features_;
    policy_features_ = eigen(task.policy_features).template cast<T>();
    first_.reset(task.mdp.initial.transpose());
    next_.reset(task.mdp.transition);
    policy_.resize(task.mdp.num_states, task.mdp.num_actions);
    set_parameters(eigen(task.start).col(0).template cast<T>());
}

template <class T>
void PolicyAgent<T>::set_parameters(const Vector& parameters) {
    parameters_ = parameters;
    refresh();
}

template <class T>
void PolicyAgent<T>::improve(const T* update) {
    for (Index i = 0; i < parameters_.size(); ++i) parameters_(i) += update[i];
    refresh();
}

template <class T>
void PolicyAgent<T>::refresh() {
    values_.noalias() = value_features_ * parameters_.tail(shape_.sizes.d);
    const double random = options_.epsilon / shape_.sizes.num_actions;
    if (shape_.sizes.algorithm == Improvement::actor_critic) {
        refresh_softmax();
    } else {
        policy_.setZero();
        for (int s = 0; s < shape_.sizes.num_states; ++s) {
            Index best = 0;
            values_.segment(s * shape_.sizes.num_actions, shape_.sizes.num_actions).maxCoeff(&best);
            policy_(s, best) = 1.0;
        }
    }
    for (double& p : policy_) p = (1.0 - options_.epsilon) * p + random;
    action_.reset(policy_);
}

// pi(a | s), and mean_features_ = sum_b phi(s, b) pi(b | s) of the score, both without epsilon:
//
//     g(s, a) = phi(s, a) - sum_b phi(s, b) pi(b | s)
template <class T>
void PolicyAgent<T>::refresh_softmax() {
    const int states = shape_.sizes.num_states, actions = shape_.sizes.num_actions, m = shape_.sizes.m;
    weights_.noalias() = policy_features_ * parameters_.head(m);
    for (int s = 0; s < states; ++s) {
        auto logits = weights_.segment(s * actions, actions);
        logits.array() -= logits.maxCoeff();
    }
    weights_ = weights_.array().exp();
    mean_features_.setZero(states, m);
    for (int s = 0; s < states; ++s) {
        auto pi = weights_.segment(s * actions, actions);
        pi /= pi.sum();
        for (int a = 0; a < actions; ++a) {
            policy_(s, a) = static_cast<double>(pi(a));
            mean_features_.row(s) += pi(a) * policy_features_.row(s * actions + a);
        }
    }
}

template <class T>
void PolicyAgent<T>::collect(Stream& stream, ImprovementPrompt<T>& prompt) {
    prompt.query[0] = T(1);
    std::copy(parameters_.data(), parameters_.data() + parameters_.size(), prompt.query.begin() + 1);
    const Mdp& mdp = task_->mdp;
    Visit visit{state_, action_.draw(state_, stream.uniform()), T(0)};
    window_[0] = visit;
    for (size_t i = 1; i < window_.size(); ++i) {
        const int next = next_.draw(mdp.pair(visit.state, visit.action), stream.uniform());
        visit = {next, action_.draw(next, stream.uniform()), static_cast<T>(mdp.reward(visit.action, next))};
        window_[i] = visit;
    }
    state_ = visit.state;
    teach(prompt);
}

template <class T>
void PolicyAgent<T>::teach(ImprovementPrompt<T>& prompt) const {
    const bool sarsa = shape_.sizes.algorithm == Improvement::sarsa;
    const int d = shape_.sizes.d, m = shape_.sizes.m;
    const T gamma = static_cast<T>(options_.gamma), actor = static_cast<T>(options_.alpha / shape_.n);
    const T critic = sarsa ? actor : static_cast<T>(options_.beta / shape_.n);
    std::fill_n(prompt.teacher.begin(), parameters_.size(), T(0));
    Eigen::Map<Vector> lambda(prompt.teacher.data(), m), w(prompt.teacher.data() + m, d);
    T discount = T(1);
    for (int i = 0; i < shape_.n; ++i) {
        const Visit &here = window_[i], &there = window_[i + 1];
        const int pair = task_->mdp.pair(here.state, here.action);
        // Rows of the features.
        const int now = sarsa ? pair : here.state;
        const int then = sarsa ? task_->mdp.pair(there.state, there.action) : there.state;
        T* x = prompt.row(i);
        std::copy_n(value_features_.data() + now * d, d, x);
        std::copy_n(discounted_features_.data() + then * d, d, x + d);
        x[2 * d] = there.reward;
        const T error = there.reward + gamma * values_(then) - values_(now);
        w += critic * error * value_features_.row(now).transpose();
        if (sarsa) continue;
        Eigen::Map<Vector> score(x + shape_.context() - m, m);
        score = discount * (policy_features_.row(pair) - mean_features_.row(here.state)).transpose();
        lambda += actor * error * score;
        discount *= gamma;
    }
}

template <class T>
double PolicyAgent<T>::play(Stream& stream, int steps) const {
    const Mdp& mdp = task_->mdp;
    double sum = 0.0, discount = 1.0;
    int state = first_.draw(0, stream.uniform());
    for (int t = 0; t < steps; ++t) {
        const int action = action_.draw(state, stream.uniform());
        const int next = next_.draw(mdp.pair(state, action), stream.uniform());
        sum += discount * mdp.reward(action, next);
        discount *= options_.gamma;
        state = next;
    }
    return sum;
}

template class PolicyAgent<float>;
template class PolicyAgent<double>;

}  // namespace emergence
