// Networks in lanes against the naive ones: values and gradients of every model, size and instruction set.
#include "core/models/network_windows.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/core/models/network_problem.h"
#include "tests/support/vector_as.h"

using namespace emergence;

namespace {

using emergence::testing::vector_as;

template <class T>
struct Answer {
    std::vector<T> values, gradient;
};

template <class T>
Answer<T> run_windows(const NetworkProblem& problem, InstructionSet set) {
    const auto network = make_network_windows<T>(problem.shape, problem.layout, set);
    const auto trajectory = vector_as<T>(problem.trajectory), weights = vector_as<T>(problem.weights),
               by_value = vector_as<T>(problem.value_gradient);
    Answer<T> answer{std::vector<T>(by_value.size()), std::vector<T>(weights.size())};
    for (int repeat = 0; repeat < 2; ++repeat) {  // the second pass finds the workspace used
        network->forward(trajectory.data(), static_cast<T>(problem.gamma), weights.data(), answer.values.data());
        network->backward(by_value.data(), answer.gradient.data());
    }
    return answer;
}

template <class T>
double worst(const std::vector<T>& a, const std::vector<double>& b) {
    double difference = 0, scale = 0;
    for (size_t i = 0; i < b.size(); ++i) {
        difference = std::max(difference, std::abs(static_cast<double>(a[i]) - b[i]));
        scale = std::max(scale, std::abs(b[i]));
    }
    return difference / scale;
}

struct WindowSize {
    int d, n, batch, layers, stored, width;
};
const WindowSize kSizes[] = {{4, 30, 64, 3, 1, 4}, {2, 5, 7, 2, 2, 3},   {4, 13, 16, 4, 4, 6}, {3, 3, 20, 1, 1, 1},
                             {1, 1, 1, 2, 1, 2},   {5, 17, 33, 3, 1, 9}, {8, 20, 16, 2, 1, 5}};

}  // namespace

TEST_CASE("networks in lanes give the naive networks' values and gradients") {
    for (const WindowSize& size : kSizes)
        for (const NetworkShape& shape : every_network(size.d, size.n, size.layers, size.stored, size.width)) {
            CAPTURE(static_cast<int>(shape.model));
            CAPTURE(static_cast<int>(shape.activation));
            CAPTURE(size.d);
            NetworkProblem problem(shape, size.batch);
            std::vector<double> values, gradient(problem.weights.size(), 0.0);
            for (int w = 0; w <= size.batch; ++w)
                values.push_back(problem.naive(problem.prompt(w), problem.weights,
                                               problem.value_gradient[static_cast<size_t>(w)], &gradient));
            const auto exact = run_windows<double>(problem, InstructionSet::generic);
            CHECK(worst(exact.values, values) < 1e-10);
            CHECK(worst(exact.gradient, gradient) < 1e-10);
            const auto single = run_windows<float>(problem, instruction_set());
            CHECK(worst(single.values, values) < 2e-5);
            CHECK(worst(single.gradient, gradient) < 2e-5);
        }
}

TEST_CASE("networks in lanes give the same bits on every instruction set") {
    for (const WindowSize& size : kSizes)
        for (const NetworkShape& shape : every_network(size.d, size.n, size.layers, size.stored, size.width)) {
            CAPTURE(static_cast<int>(shape.model));
            CAPTURE(static_cast<int>(shape.activation));
            CAPTURE(size.d);
            const NetworkProblem problem(shape, size.batch);
            const auto expected = run_windows<float>(problem, InstructionSet::generic);
            for (const InstructionSet set : available_instruction_sets()) {
                const auto found = run_windows<float>(problem, set);
                CHECK(found.values == expected.values);
                CHECK(found.gradient == expected.gradient);
            }
        }
}

TEST_CASE("large scores neither overflow nor hide what is not a number") {
    for (const NetworkShape& shape : every_network(2, 6, 2, 1, 3)) {
        CAPTURE(static_cast<int>(shape.model));
        CAPTURE(static_cast<int>(shape.activation));
        if (shape.activation == Activation::softmax || shape.activation == Activation::softmax_columns) {
            NetworkProblem large(shape, 16, 40.0);  // scores of some thousands
            for (const float value : run_windows<float>(large, instruction_set()).values) CHECK(std::isfinite(value));
        }
        NetworkProblem broken(shape, 16);
        broken.weights[broken.weights.size() / 2] = std::nan("");
        for (const InstructionSet set : available_instruction_sets())
            for (const float value : run_windows<float>(broken, set).values) CHECK(std::isnan(value));
    }
}
