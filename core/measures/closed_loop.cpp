#include "core/measures/closed_loop.h"

#include <algorithm>

#include "core/base/statistics.h"

namespace emergence {

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

ClosedLoop::ClosedLoop(const ClosedLoopOptions& options) : options_(options) {
    const double gamma = options.agent.gamma;
    for (int at = 0; at <= options.updates; at += options.every) measured_at_.push_back(at);
    for (int i = 0; i < options.mdps; ++i) {
        tasks_.push_back(random_improvement_task(options.shape.sizes, options.seed, static_cast<uint32_t>(i)));
        const Mdp& mdp = tasks_.back().mdp;
        const Eigen::MatrixXd best = optimal_action_values(mdp, gamma);
        const Eigen::MatrixXd uniform =
            Eigen::MatrixXd::Constant(mdp.num_states, mdp.num_actions, 1.0 / mdp.num_actions);
        oracle_.push_back(mdp.initial.dot(policy_values(mdp, greedy_policy(best), gamma)));
        random_.push_back(mdp.initial.dot(policy_values(mdp, uniform, gamma)));
        best_exploring_.push_back(mdp.initial.dot(best_exploring_values(mdp, gamma, options.agent.epsilon)));
    }
    teacher_ = run(nullptr);
}

LoopReturns ClosedLoop::transformer(const float* weights) const { return run(weights); }

LoopReturns ClosedLoop::run(const float* weights) const {
    const auto block = make_improvement_block<float>(options_.shape);
    LoopReturns returns;
    for (size_t mdp = 0; mdp < tasks_.size(); ++mdp) returns.push_back(run_one(mdp, *block, weights));
    return returns;
}

std::vector<double> ClosedLoop::run_one(size_t mdp, ImprovementBlock<float>& block, const float* weights) const {
    const auto index = static_cast<uint32_t>(mdp);
    PolicyAgent<float> agent(options_.shape, options_.agent);
    ImprovementPrompt<float> prompt(options_.shape);
    std::vector<float> update(options_.shape.outputs());
    agent.begin(tasks_[mdp]);
    std::vector<double> returns;
    for (int t = 0;; ++t) {
        const auto at = static_cast<uint32_t>(t);
        if (t % options_.every == 0) returns.push_back(measure(agent, tasks_[mdp].mdp, index, at));
        if (returns.size() == measured_at_.size()) return returns;
        Stream stream(options_.seed, Purpose::trajectory, index, at);
        if (t == 0) agent.draw_state(stream);
        if (weights) {
            agent.collect(stream, prompt);
            block.forward(weights, prompt.view(), update.data());
        } else {
            agent.teach(stream, update.data());
        }
        agent.improve(update.data());
    }
}

double ClosedLoop::measure(const PolicyAgent<float>& agent, const Mdp& mdp, uint32_t index, uint32_t update) const {
    if (options_.rollouts == 0) return mdp.initial.dot(policy_values(mdp, agent.policy(), options_.agent.gamma));
    Stream stream(options_.seed, Purpose::held_out, index, update);
    double sum = 0.0;
    for (int i = 0; i < options_.rollouts; ++i) sum += agent.play(stream, options_.rollout_steps);
    return sum / options_.rollouts;
}

namespace {

double half_squared_distance(const float* a, const float* b, int size) {
    double sum = 0;
    for (int k = 0; k < size; ++k) {
        const double difference = static_cast<double>(a[k]) - static_cast<double>(b[k]);
        sum += 0.5 * difference * difference;
    }
    return sum;
}

}  // namespace

HeldOutWindows::HeldOutWindows(const ImprovementShape& shape, const AgentOptions& agent_options, int frames,
                               uint64_t seed, int mdps, int per_mdp)
    : shape_(shape) {
    const int kept = smaller(per_mdp, frames);
    ImprovementPrompt<float> prompt(shape);
    for (int i = 0; i < mdps; ++i) {
        const auto index = static_cast<uint32_t>(i);
        const ImprovementTask task = random_improvement_task(shape.sizes, seed, index);
        PolicyAgent<float> agent(shape, agent_options);
        agent.begin(task);
        int next = 0;
        for (int frame = 0; next < kept; ++frame) {
            Stream stream(seed, Purpose::trajectory, index, static_cast<uint32_t>(frame));
            if (frame == 0) agent.draw_state(stream);
            agent.collect(stream, prompt);
            agent.improve(prompt.teacher.data());
            if (frame != (2 * next + 1) * frames / (2 * kept)) continue;
            windows_.push_back(prompt);
            ++next;
        }
    }
}

double HeldOutWindows::loss(const std::vector<float>& weights) const {
    const auto block = make_improvement_block<float>(shape_);
    std::vector<float> update(shape_.outputs());
    double sum = 0;
    for (const ImprovementPrompt<float>& window : windows_) {
        block->forward(weights.data(), window.view(), update.data());
        sum += half_squared_distance(update.data(), window.teacher.data(), shape_.outputs());
    }
    return sum / static_cast<double>(windows_.size());
}

double HeldOutWindows::loss_of_no_update() const {
    const std::vector<float> nothing(shape_.outputs());
    double sum = 0;
    for (const ImprovementPrompt<float>& window : windows_)
        sum += half_squared_distance(nothing.data(), window.teacher.data(), shape_.outputs());
    return sum / static_cast<double>(windows_.size());
}

}  // namespace emergence
