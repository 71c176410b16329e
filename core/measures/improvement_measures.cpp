#include "core/measures/improvement_measures.h"

#include <cmath>
#include <limits>

#include "core/base/statistics.h"

namespace emergence {
namespace {

// The places where a polynomial, coefficients by ascending powers, changes its sign: between those of its derivative and
// Cauchy's bound. None if a coefficient is not finite.
std::vector<double> sign_changes(const std::vector<double>& coefficients) {
    std::vector<double> derivative, roots;
    double bound = 1.0;
    for (size_t k = 1; k < coefficients.size(); ++k) {
        derivative.push_back(static_cast<double>(k) * coefficients[k]);
        bound = larger(bound, 1.0 + std::abs(coefficients[k - 1] / coefficients.back()));
    }
    if (derivative.empty() || !std::isfinite(bound + coefficients.back())) return {};
    const auto is_positive = [&](double x) {
        double value = 0.0;
        for (size_t k = coefficients.size(); k-- > 0;) value = value * x + coefficients[k];
        return value > 0;
    };
    std::vector<double> ends = sign_changes(derivative);
    ends.insert(ends.begin(), -bound);
    ends.push_back(bound);
    for (size_t k = 1; k < ends.size(); ++k) {
        double low = ends[k - 1], high = ends[k], middle = low / 2 + high / 2;
        const bool ends_positive = is_positive(high);
        if (is_positive(low) == ends_positive) continue;
        for (; middle != low && middle != high; middle = low / 2 + high / 2)
            (is_positive(middle) == ends_positive ? high : low) = middle;
        roots.push_back(middle);
    }
    return roots;
}

}  // namespace

ClosedLoop::ClosedLoop(const ClosedLoopOptions& options) : options_(options) {
    const double gamma = options.agent.gamma;
    for (int at = 0; at <= options.updates; at += options.every) measured_at_.push_back(at);
    for (int i = 0; i < options.mdps; ++i) {
        tasks_.push_back(random_improvement_task(options.shape.sizes, options.seed, static_cast<uint32_t>(i)));
        const Mdp& mdp = tasks_.back().mdp;
        const Mat best = optimal_action_values(mdp, gamma);
        const Mat uniform = Mat::Constant(mdp.num_states, mdp.num_actions, 1.0 / mdp.num_actions);
        oracle_.push_back(mdp.initial.dot(policy_values(mdp, greedy_policy(best), gamma)));
        random_.push_back(mdp.initial.dot(policy_values(mdp, uniform, gamma)));
    }
    teacher_ = transformer(nullptr);
}

LoopReturns ClosedLoop::transformer(const float* weights) const {
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
        agent.collect(options_.seed, index, at, prompt);
        if (weights) block.forward(weights, prompt.view(), update.data());
        agent.improve(weights ? update.data() : prompt.teacher.data());
    }
}

double ClosedLoop::measure(const PolicyAgent<float>& agent, const Mdp& mdp, uint32_t index, uint32_t update) const {
    if (options_.rollouts == 0) return mdp.initial.dot(policy_values(mdp, agent.policy(), options_.agent.gamma));
    Stream stream(options_.seed, Purpose::held_out, index, update);
    double sum = 0.0;
    for (int i = 0; i < options_.rollouts; ++i) sum += agent.play(stream, options_.rollout_steps);
    return sum / options_.rollouts;
}

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
            agent.collect(seed, index, static_cast<uint32_t>(frame), prompt);
            agent.improve(prompt.teacher.data());
            if (frame != (2 * next + 1) * frames / (2 * kept)) continue;
            windows_.push_back(prompt);
            ++next;
        }
    }
}

double HeldOutWindows::loss(const float* weights) const {
    const auto block = make_improvement_block<float>(shape_);
    std::vector<float> update(shape_.outputs());
    double sum = 0;
    for (const ImprovementPrompt<float>& window : windows_) {
        if (weights) block->forward(weights, window.view(), update.data());
        double distance = 0;
        for (size_t k = 0; k < update.size(); ++k) {
            const double difference = static_cast<double>(update[k]) - static_cast<double>(window.teacher[k]);
            distance += 0.5 * difference * difference;
        }
        sum += distance;
    }
    return sum / static_cast<double>(windows_.size());
}

ManifoldFit fit_manifold(const EffectiveBlocks& blocks, const EffectiveBlocks& target) {
    const double a = blocks.P12.cwiseProduct(target.P12).sum(), p = target.P12.squaredNorm();
    const double b = blocks.V21.cwiseProduct(target.V21).sum(), v = target.V21.squaredNorm();
    // The stationary points of f(c) = |P12 - c P12*|^2 + |V21 - V21* / c|^2 are the real roots of
    //
    //     p c^4 - a c^3 + b c - v
    //
    // Since -v < 0 < p, both signs occur. A minimum changes the sign.
    ManifoldFit best;
    best.distance = std::numeric_limits<double>::infinity();
    for (const double c : sign_changes({-v, b, 0.0, -a, p})) {
        if (c == 0.0) continue;
        const double distance =
            std::sqrt((blocks.P12 - c * target.P12).squaredNorm() + (blocks.V21 - target.V21 / c).squaredNorm());
        if (distance < best.distance) best = {c, distance, distance / std::sqrt(c * c * p + v / (c * c))};
    }
    return best;
}

EffectiveBlocks off_manifold(const EffectiveBlocks& target, double c, double distance, Stream& stream) {
    EffectiveBlocks blocks = rescaled(target, c), aside = blocks;
    const double norm = std::sqrt(blocks.P12.squaredNorm() + blocks.V21.squaredNorm());
    for (double& x : aside.P12) x = stream.normal();
    for (double& x : aside.V21) x = stream.normal();
    // The tangent of the manifold is (P12*, -V21* / c^2).
    const Mat tangent_V = -target.V21 / (c * c);
    const double along = (aside.P12.cwiseProduct(target.P12).sum() + aside.V21.cwiseProduct(tangent_V).sum()) /
                         (target.P12.squaredNorm() + tangent_V.squaredNorm());
    aside.P12 -= along * target.P12;
    aside.V21 -= along * tangent_V;
    const double length = distance * norm / std::sqrt(aside.P12.squaredNorm() + aside.V21.squaredNorm());
    blocks.P12 += length * aside.P12;
    blocks.V21 += length * aside.V21;
    return blocks;
}

double block_balance(const EffectiveBlocks& blocks) { return blocks.P12.squaredNorm() - blocks.V21.squaredNorm(); }

double scale_of_balance(const EffectiveBlocks& target, double balance) {
    // c^2 |P12*|^2 - |V21*|^2 / c^2 = balance
    const double p = target.P12.squaredNorm(), v = target.V21.squaredNorm();
    const double root = std::sqrt(balance * balance + 4.0 * p * v);
    // Two forms of the same root avoid the difference of nearly equal numbers.
    return std::sqrt(balance > 0 ? (balance + root) / (2.0 * p) : 2.0 * v / (root - balance));
}

}  // namespace emergence
