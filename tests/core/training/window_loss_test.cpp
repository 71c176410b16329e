// Losses by hand, their gradients against finite differences, by the values and through a network by the
// weights, and the general path against the one-pass TD kernel, to the bit.
#include "core/training/multi_task_td.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/rng.h"
#include "core/training/lane_losses.h"
#include "tests/core/models/network_problem.h"
#include "tests/support/differences.h"
#include "tests/support/vector_as.h"

using namespace emergence;

namespace {

using emergence::testing::vector_as;

const std::vector<LossOptions> kLosses = {{LossKind::td},
                                          {LossKind::residual_gradient},
                                          {LossKind::td_lambda, 0.7},
                                          {LossKind::monte_carlo},
                                          {LossKind::average_reward}};

std::vector<double> uniforms(uint32_t number, size_t count, double scale = 1) {
    Stream stream(23, Purpose::testing, number);
    std::vector<double> values(count);
    for (double& x : values) x = stream.uniform(-scale, scale);
    return values;
}

double loss_of(const LossOptions& options, const std::vector<double>& values, const std::vector<double>& rewards,
               const std::vector<double>& means, std::vector<double>& targets, std::vector<double>& gradient) {
    targets.resize(values.size());
    gradient.resize(values.size());
    return window_loss<double>(options,
                               {static_cast<int>(rewards.size()), 0.9, rewards.data(), means.data(), values.data()},
                               targets.data(), gradient.data());
}

// The function of which a loss follows the gradient: with its targets as they are at the start where it is a
// semi-gradient.
double followed(const LossOptions& options, const std::vector<double>& values, const std::vector<double>& rewards,
                const std::vector<double>& means, const std::vector<double>& start_targets) {
    std::vector<double> targets, gradient;
    const double loss = loss_of(options, values, rewards, means, targets, gradient);
    if (options.kind == LossKind::residual_gradient) return loss;
    double sum = 0;
    for (size_t w = 0; w < rewards.size(); ++w) sum += std::pow(start_targets[w] - values[w], 2);
    return sum / static_cast<double>(rewards.size());
}

struct Minibatch : NetworkProblem {
    Minibatch(const NetworkShape& chosen, int batch) : NetworkProblem(chosen, batch, 0.3) {
        for (int w = 0; w < batch; ++w) {
            rewards.push_back(at(shape.d, w + shape.context_length + 1));
            means.push_back(0.1 * w);
        }
    }
    std::vector<double> rewards, means;
};

}  // namespace

TEST_CASE("losses of two windows by hand") {
    const std::vector<double> v = {1, 2, 3}, r = {0.5, -1}, mean = {0.25, 0.5};
    std::vector<double> targets, g;
    // td: targets 0.5 + 1.8, -1 + 2.7; deltas 1.3, -0.3
    CHECK(loss_of({LossKind::td}, v, r, mean, targets, g) == doctest::Approx((1.69 + 0.09) / 2));
    CHECK(g[0] == doctest::Approx(-1.3));
    CHECK(g[1] == doctest::Approx(0.3));
    CHECK(g[2] == 0);
    // residual gradient: the same loss, the targets move too
    CHECK(loss_of({LossKind::residual_gradient}, v, r, mean, targets, g) == doctest::Approx(0.89));
    CHECK(g[1] == doctest::Approx(0.3 + 0.9 * 1.3));
    CHECK(g[2] == doctest::Approx(0.9 * -0.3));
    // monte carlo: G_1 = -1 + 2.7 = 1.7, G_0 = 0.5 + 0.9 * 1.7 = 2.03
    CHECK(loss_of({LossKind::monte_carlo}, v, r, mean, targets, g) == doctest::Approx((1.03 * 1.03 + 0.09) / 2));
    // lambda 0.5: G_0 = 0.5 + 0.9 (0.5 * 2 + 0.5 * 1.7) = 2.165
    loss_of({LossKind::td_lambda, 0.5}, v, r, mean, targets, g);
    CHECK(targets[0] == doctest::Approx(2.165));
    CHECK(targets[1] == doctest::Approx(1.7));
    // average reward: 0.5 - 0.25 + 2, -1 - 0.5 + 3
    loss_of({LossKind::average_reward}, v, r, mean, targets, g);
    CHECK(targets[0] == doctest::Approx(2.25));
    CHECK(targets[1] == doctest::Approx(1.5));
}

TEST_CASE("TD(0) is TD, TD(1) Monte Carlo") {
    const auto v = uniforms(1, 33), r = uniforms(2, 32);
    std::vector<double> a, b, ga, gb;
    CHECK(loss_of({LossKind::td}, v, r, r, a, ga) == loss_of({LossKind::td_lambda, 0}, v, r, r, b, gb));
    CHECK(ga == gb);
    loss_of({LossKind::monte_carlo}, v, r, r, a, ga);
    loss_of({LossKind::td_lambda, 1}, v, r, r, b, gb);
    CHECK(ga == gb);
    double discounted = v[32];
    for (size_t w = 32; w-- > 0;) discounted = r[w] + 0.9 * discounted;
    CHECK(a[0] == doctest::Approx(discounted).epsilon(1e-12));
}

TEST_CASE("a loss of one's own: residual gradient again, and its gradient with weights") {
    const auto v = uniforms(1, 33), r = uniforms(2, 32);
    std::vector<double> targets, theirs, mine;
    const double weight = 2.5;
    const auto residual = [&](double w) {
        return LossOptions{.own = std::make_shared<const OwnLoss>(
                               [w](const LossInput<double>& in, double* target, double* weights, double* slopes) {
                                   for (int i = 0; i < in.batch; ++i) {
                                       target[i] = std::fma(in.gamma, in.values[i + 1], in.rewards[i]);
                                       weights[i] = w;
                                       slopes[i] = in.gamma;
                                   }
                               })};
    };
    const double loss = loss_of({LossKind::residual_gradient}, v, r, r, targets, theirs);
    CHECK(loss_of(residual(1), v, r, r, targets, mine) == doctest::Approx(loss).epsilon(1e-13));
    for (size_t w = 0; w < v.size(); ++w) CHECK(mine[w] == doctest::Approx(theirs[w]).epsilon(1e-12));
    CHECK(loss_of(residual(weight), v, r, r, targets, mine) == doctest::Approx(weight * loss).epsilon(1e-13));
    for (size_t w = 0; w < v.size(); ++w) CHECK(mine[w] == doctest::Approx(weight * theirs[w]).epsilon(1e-12));
}

TEST_CASE("each loss's gradient by the values equals finite differences") {
    const auto r = uniforms(4, 20), means = uniforms(5, 20);
    auto v = uniforms(3, 21);
    for (const LossOptions& loss : kLosses) {
        CAPTURE(loss_names()[static_cast<size_t>(loss.kind)]);
        std::vector<double> targets, gradient;
        loss_of(loss, v, r, means, targets, gradient);
        const auto slopes = testing::slopes_by(v, [&] { return followed(loss, v, r, means, targets); });
        for (size_t w = 0; w < v.size(); ++w) CHECK(slopes[w] == doctest::Approx(gradient[w]).epsilon(1e-6).scale(0.1));
    }
}

TEST_CASE("each loss's gradient by the weights equals finite differences to 1e-6 relative") {
    struct Case {
        int d, n, batch, layers, stored;
    };
    // 16 windows fill every lane once: the last target is a window that only the extra group holds.
    for (const Case c : {Case{2, 5, 7, 3, 1}, Case{2, 4, 16, 2, 2}, Case{2, 3, 20, 1, 1}}) {
        const NetworkShape shape{.d = c.d, .context_length = c.n, .layers = c.layers, .stored = c.stored};
        const Minibatch minibatch(shape, c.batch);
        const auto windows = make_network_windows<double>(shape, minibatch.layout);
        const auto td = make_batch_td_windows<double>(c.d, c.layers, minibatch.layout);
        for (const LossOptions& loss : kLosses)
            for (WindowValues<double>* network : {windows.get(), td.get()}) {
                INFO(loss_names()[static_cast<size_t>(loss.kind)], ", ", c.batch);
                auto weights = network == td.get() ? std::vector<double>{1.3} : minibatch.weights;
                std::vector<double> values(minibatch.rewards.size() + 1), targets, by_value, gradient(weights.size());
                const auto forward = [&] {
                    network->forward(minibatch.trajectory.data(), 0.9, weights.data(), values.data());
                };
                forward();
                loss_of(loss, values, minibatch.rewards, minibatch.means, targets, by_value);
                network->backward(by_value.data(), gradient.data());
                const auto start_targets = targets;
                const auto value = [&] {
                    forward();
                    return followed(loss, values, minibatch.rewards, minibatch.means, start_targets);
                };
                CHECK(testing::relative_difference(testing::slopes_by(weights, value), gradient) < 1e-6);
            }
    }
}

TEST_CASE("the general path's TD is the one-pass kernel's, to the bit, on every instruction set") {
    struct Case {
        int d, n, batch, layers, stored;
    };
    for (const Case c : {Case{4, 30, 64, 3, 1}, Case{4, 30, 64, 3, 3}, Case{3, 13, 20, 4, 1}, Case{2, 1, 1, 1, 1},
                         Case{8, 17, 33, 2, 2}, Case{5, 40, 16, 2, 1},
                         Case{8, 17, 33, 5, 1}})  // the last has tapes too large to be kept
        for (const InstructionSet set : available_instruction_sets()) {
            INFO(c.d, ", ", c.batch);
            const NetworkShape shape{.d = c.d, .context_length = c.n, .layers = c.layers, .stored = c.stored};
            const Minibatch minibatch(shape, c.batch);
            const auto weights = vector_as<float>(minibatch.weights), rewards = vector_as<float>(minibatch.rewards),
                       trajectory = vector_as<float>(minibatch.trajectory);
            const size_t half = weights.size() / 2;
            std::vector<float> expected(2 * half), values(rewards.size() + 1), targets(values), by_value(values),
                gradient(2 * half);
            TdMinibatchResult<float> result{expected.data(), expected.data() + half, 0, 0, 0};
            make_td_minibatch_kernel<float>(shape, minibatch.layout, set)
                ->run({trajectory.data(), 0.9F, weights.data(), weights.data() + half, 1.3F}, result);
            const auto train = [&](WindowValues<float>& network, const float* w, float* by_weight) {
                network.forward(trajectory.data(), 0.9F, w, values.data());
                const float loss = window_loss<float>({}, {c.batch, 0.9F, rewards.data(), nullptr, values.data()},
                                                      targets.data(), by_value.data());
                network.backward(by_value.data(), by_weight);
                return loss;
            };
            const auto network = make_network_windows<float>(shape, minibatch.layout, set);
            CHECK(train(*network, weights.data(), gradient.data()) == doctest::Approx(result.loss).epsilon(1e-5));
            CHECK(gradient == expected);
            const auto td = make_batch_td_windows<float>(c.d, c.layers, minibatch.layout, set);
            float alpha = 1.3F, by_alpha = 0;
            CHECK(train(*td, &alpha, &by_alpha) == doctest::Approx(result.batch_td_loss).epsilon(1e-5));
            CHECK(by_alpha == result.alpha_gradient);
        }
}
