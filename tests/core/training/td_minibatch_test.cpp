// The lane kernel against the paper's n-by-n form: values, losses and gradients, every size, depth and
// instruction set.
#include "core/training/lane_losses.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/core/models/network_problem.h"
#include "tests/support/differences.h"
#include "tests/support/vector_as.h"

using namespace emergence;

namespace {

using emergence::testing::relative_difference;
using emergence::testing::vector_as;

struct MinibatchCase {
    int d, layers, stored, n, batch;
};

struct MinibatchProblem : NetworkProblem {
    explicit MinibatchProblem(const MinibatchCase& c)
        : NetworkProblem({.d = c.d, .context_length = c.n, .layers = c.layers, .stored = c.stored}, c.batch, 0.3) {}

    Vec phi(int time) const {
        Vec features(shape.d);
        for (int i = 0; i < shape.d; ++i) features[i] = at(i, time);
        return features;
    }
    double reward(int time) const { return at(shape.d, time); }

    // The semi-gradient loss, with its gradient.
    double naive_loss(std::vector<double>& gradient) {
        gradient.assign(weights.size(), 0.0);
        const int batch = layout.batch, n = shape.context_length;
        double sum = 0;
        for (int w = 0; w < batch; ++w) {
            const double next = naive(prompt(w + 1), weights, 0, nullptr),
                         value = naive(prompt(w), weights, 0, nullptr);
            const double delta = reward(w + n + 1) + gamma * next - value;
            sum += delta * delta;
            naive(prompt(w), weights, -2 * delta / batch, &gradient);
        }
        return sum / batch;
    }

    template <class T>
    struct Answer {
        std::vector<T> gradient;
        TdMinibatchResult<T> result;
    };

    template <class T>
    Answer<T> run(InstructionSet set, double alpha = 1.3) const {
        const auto states = vector_as<T>(trajectory), w = vector_as<T>(weights);
        const size_t half = w.size() / 2;
        Answer<T> a{std::vector<T>(w.size()), {}};
        a.result = {a.gradient.data(), a.gradient.data() + half, T(0), T(0), T(0)};
        auto kernel = make_td_minibatch_kernel<T>(shape, layout, set);
        const TdMinibatchInput<T> in{states.data(), static_cast<T>(gamma), w.data(), w.data() + half,
                                     static_cast<T>(alpha)};
        kernel->run(in, a.result);
        kernel->run(in, a.result);  // a used workspace must not matter
        return a;
    }
};

const std::vector<MinibatchCase> kMinibatchCases = {
    {1, 1, 1, 1, 1},   {2, 2, 1, 5, 3},    {4, 3, 1, 30, 64}, {4, 3, 3, 30, 64}, {3, 1, 1, 7, 16},
    {4, 4, 1, 13, 20}, {5, 5, 5, 9, 33},   {6, 3, 1, 31, 17}, {8, 3, 1, 60, 64}, {2, 6, 1, 4, 40},
    {4, 2, 2, 30, 64}, {16, 3, 1, 17, 16}, {4, 3, 1, 480, 64}};

}  // namespace

TEST_CASE("the Gram form in lanes equals the n-by-n form in double: loss and gradients") {
    for (const MinibatchCase& c : kMinibatchCases) {
        INFO(c.d, ", ", c.layers, ", ", c.stored, ", ", c.n, ", ", c.batch);
        MinibatchProblem problem(c);
        std::vector<double> gradient;
        const double loss = problem.naive_loss(gradient);
        const auto fast = problem.run<double>(InstructionSet::generic);
        CHECK(fast.result.loss == doctest::Approx(loss).epsilon(1e-11));
        CHECK(relative_difference(fast.gradient, gradient) < 1e-10);
    }
}

TEST_CASE("batch TD's alpha gradient equals finite differences") {
    const MinibatchProblem problem({4, 3, 1, 30, 64});
    const auto at = problem.run<double>(InstructionSet::generic, 1.3);
    // Semi-gradient: the targets' alpha is fixed, so compare with the naive recursion rather than with the
    // loss.
    const double h = 1e-6;
    const auto value = [&](int window, double alpha) {
        Vec w = Vec::Zero(4);
        for (int l = 0; l < 3; ++l) {
            Vec step = Vec::Zero(4);
            for (int k = 0; k < 30; ++k) {
                const Vec phi = problem.phi(window + k), next = problem.phi(window + k + 1);
                step += (problem.reward(window + k) + 0.9 * w.dot(next) - w.dot(phi)) * phi;
            }
            w += alpha / 30 * step;
        }
        return w.dot(problem.phi(window + 31));
    };
    double gradient = 0, loss = 0;
    for (int w = 0; w < 64; ++w) {
        const double delta = problem.reward(w + 31) + 0.9 * value(w + 1, 1.3) - value(w, 1.3);
        loss += delta * delta / 64;
        gradient += -2 * delta / 64 * (value(w, 1.3 + h) - value(w, 1.3 - h)) / (2 * h);
    }
    CHECK(at.result.batch_td_loss == doctest::Approx(loss).epsilon(1e-11));
    CHECK(at.result.alpha_gradient == doctest::Approx(gradient).epsilon(1e-6));
}

TEST_CASE("float kernels agree with double to rounding, and with each other to the bit") {
    for (const MinibatchCase& c : kMinibatchCases) {
        INFO(c.d, ", ", c.layers, ", ", c.n);
        const MinibatchProblem problem(c);
        const auto exact = problem.run<double>(InstructionSet::generic);
        const auto first = problem.run<float>(InstructionSet::generic);
        CHECK(relative_difference(first.gradient, exact.gradient) < 1e-4);
        for (const InstructionSet set : available_instruction_sets()) {
            const auto other = problem.run<float>(set);
            CHECK(other.gradient == first.gradient);
            CHECK(other.result.loss == first.result.loss);
            CHECK(other.result.alpha_gradient == first.result.alpha_gradient);
        }
    }
}
