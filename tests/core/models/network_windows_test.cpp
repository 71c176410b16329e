// Networks in lanes against the naive ones: values and gradients of every model, size and instruction set. Masked ones
// also against finite differences, and against the algorithms that they run with their construction's weights.
#include "core/models/network_windows.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/algorithms/context_algorithms.h"
#include "tests/core/models/network_problem.h"
#include "tests/support/differences.h"
#include "tests/support/vector_as.h"

using namespace emergence;

namespace {

using emergence::testing::relative_difference;
using emergence::testing::vector_as;

template <class T>
struct Answer {
    std::vector<T> values, gradient;
};

template <class T>
Answer<T> run_windows(const NetworkProblem& problem, const std::vector<double>& w, InstructionSet set) {
    const auto network = make_network_windows<T>(problem.shape, problem.layout, set);
    const auto trajectory = vector_as<T>(problem.trajectory), weights = vector_as<T>(w),
               by_value = vector_as<T>(problem.value_gradient);
    Answer<T> answer{std::vector<T>(by_value.size()), std::vector<T>(weights.size())};
    for (int repeat = 0; repeat < 2; ++repeat) {  // the second pass finds the workspace used
        network->forward(trajectory.data(), static_cast<T>(problem.gamma), weights.data(), answer.values.data());
        network->backward(by_value.data(), answer.gradient.data());
    }
    return answer;
}
template <class T>
Answer<T> run_windows(const NetworkProblem& problem, InstructionSet set = InstructionSet::generic) {
    return run_windows<T>(problem, problem.weights, set);
}

Answer<double> naive_answer(NetworkProblem& problem) {
    Answer<double> answer{{}, std::vector<double>(problem.weights.size(), 0.0)};
    for (size_t w = 0; w < problem.value_gradient.size(); ++w)
        answer.values.push_back(problem.naive(problem.prompt(static_cast<int>(w)), problem.weights,
                                              problem.value_gradient[w], &answer.gradient));
    return answer;
}

struct WindowSize {
    int d, n, batch, layers, stored, width;
};
const WindowSize kSizes[] = {{4, 30, 64, 3, 1, 4}, {2, 5, 7, 2, 2, 3},   {4, 13, 16, 4, 4, 6}, {3, 3, 20, 1, 1, 1},
                             {1, 1, 1, 2, 1, 2},   {5, 17, 33, 3, 1, 9}, {8, 20, 16, 2, 1, 5}};

// sum_w value_gradient[w] value_w
double weighed(const NetworkProblem& problem, const std::vector<double>& values) {
    double sum = 0;
    for (size_t w = 0; w < values.size(); ++w) sum += problem.value_gradient[w] * values[w];
    return sum;
}

// The gradient by finite differences of the values in lanes.
std::vector<double> differences(const NetworkProblem& problem) {
    std::vector<double> weights = problem.weights;
    return testing::slopes_by(weights, [&] {
        return weighed(problem, run_windows<double>(problem, weights, InstructionSet::generic).values);
    });
}

Mat matrix_at(const std::vector<double>& w, size_t offset, int rows, int columns) {
    return ConstMatView::by_rows(w.data() + offset, rows, columns);
}

// Eq. (18) with n x n attention.
std::vector<double> two_head_values(const NetworkProblem& problem) {
    const int D = problem.shape.rows(), n = problem.shape.context_length;
    const auto size = static_cast<size_t>(D * D);
    const auto head = [&](size_t k) { return matrix_at(problem.weights, k * size, D, D); };
    const size_t second_Q = problem.shape.shares_Q ? 1 : 3, behind = problem.shape.shares_Q ? 3 : 4;
    const Mat W = problem.shape.learns_W ? matrix_at(problem.weights, behind * size, D, 2 * D)
                                         : average_reward_construction(Mat::Identity(D / 2 - 1, D / 2 - 1)).W;
    std::vector<double> values;
    for (int w = 0; w <= problem.layout.batch; ++w) {
        Mat Z = problem.prompt(w);
        for (int l = 0; l < problem.shape.layers; ++l) {
            Mat heads(2 * D, n + 1);
            heads.topRows(D) = linear_attention(Z, head(0), head(1), centring_mask(n));
            heads.bottomRows(D) = linear_attention(Z, head(2), head(second_Q), context_mask(n));
            Z += W * heads / n;
        }
        values.push_back(-Z(D - 1, n));
    }
    return values;
}

struct MaskedSize {
    int d, n, batch, layers, stored;
};
// Contexts longer than a lane's windows, shorter, and one transition.
const MaskedSize kMaskedSizes[] = {{4, 30, 64, 3, 1}, {2, 5, 7, 2, 2}, {4, 13, 16, 4, 4},
                                   {3, 3, 20, 1, 1},  {1, 1, 1, 2, 1}, {3, 2, 70, 3, 1}};

NetworkShape traced(const MaskedSize& s, double lambda, bool learns) {
    return {.d = s.d,
            .context_length = s.n,
            .layers = s.layers,
            .stored = s.stored,
            .mask = Mask::td_lambda,
            .mask_lambda = lambda,
            .learns_lambda = learns};
}
NetworkShape two_heads(const MaskedSize& s, bool learns_W, bool shares_Q = false) {
    return {.model = Model::two_heads,
            .d = s.d,
            .context_length = s.n,
            .layers = s.layers,
            .learns_W = learns_W,
            .shares_Q = shares_Q};
}

}  // namespace

TEST_CASE("networks in lanes give the naive networks' values and gradients") {
    for (const WindowSize& size : kSizes)
        for (const NetworkShape& shape : every_network(size.d, size.n, size.layers, size.stored, size.width)) {
            INFO(static_cast<int>(shape.model), ", ", static_cast<int>(shape.activation), ", ", size.d);
            NetworkProblem problem(shape, size.batch);
            const auto [values, gradient] = naive_answer(problem);
            const auto exact = run_windows<double>(problem);
            CHECK(relative_difference(exact.values, values) < 1e-10);
            CHECK(relative_difference(exact.gradient, gradient) < 1e-10);
            const auto single = run_windows<float>(problem, instruction_set());
            CHECK(relative_difference(single.values, values) < 2e-5);
            CHECK(relative_difference(single.gradient, gradient) < 2e-5);
        }
}

TEST_CASE("networks in lanes give the same bits on every instruction set") {
    for (const WindowSize& size : kSizes)
        for (const NetworkShape& shape : every_network(size.d, size.n, size.layers, size.stored, size.width)) {
            INFO(static_cast<int>(shape.model), ", ", static_cast<int>(shape.activation), ", ", size.d);
            const NetworkProblem problem(shape, size.batch);
            const auto expected = run_windows<float>(problem);
            for (const InstructionSet set : available_instruction_sets()) {
                const auto found = run_windows<float>(problem, set);
                CHECK(found.values == expected.values);
                CHECK(found.gradient == expected.gradient);
            }
        }
}

TEST_CASE("large scores neither overflow nor hide what is not a number") {
    for (const NetworkShape& shape : every_network(2, 6, 2, 1, 3)) {
        INFO(static_cast<int>(shape.model), ", ", static_cast<int>(shape.activation));
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

TEST_CASE("a mask of traces in lanes gives the n x n form's values and gradients") {
    for (const MaskedSize& size : kMaskedSizes)
        for (const bool learns : {false, true}) {
            INFO(size.n, ", ", learns);
            NetworkProblem problem(traced(size, 0.8, learns), size.batch, 0.3);
            if (learns) problem.weights.back() = 0.7;
            auto [values, gradient] = naive_answer(problem);
            const auto exact = run_windows<double>(problem);
            CHECK(relative_difference(exact.values, values) < 1e-10);
            if (learns) gradient.back() = exact.gradient.back();  // by finite differences below
            CHECK(relative_difference(exact.gradient, gradient) < 1e-10);
            const auto single = run_windows<float>(problem, instruction_set());
            CHECK(relative_difference(single.values, values) < 2e-5);
            CHECK(relative_difference(single.gradient, gradient) < 5e-5);
            CHECK(run_windows<float>(problem).gradient == single.gradient);
        }
}

TEST_CASE("two heads in lanes give Eq. (18)'s values") {
    for (const MaskedSize& size : kMaskedSizes)
        for (const bool learns_W : {false, true})
            for (const bool shares_Q : {false, true}) {
                CAPTURE(size.n);
                const NetworkProblem problem(two_heads(size, learns_W, shares_Q), size.batch, 0.3);
                CHECK(relative_difference(run_windows<double>(problem).values, two_head_values(problem)) < 1e-10);
            }
}

TEST_CASE("gradients of masked networks are finite differences, by lambda, W and one Q too" *
          doctest::test_suite("release")) {
    const MaskedSize small{2, 6, 5, 3, 1};
    std::vector<NetworkShape> shapes = {two_heads(small, false), two_heads(small, true), two_heads(small, false, true),
                                        two_heads(small, true, true)};
    shapes.push_back(traced(small, 0.8, true));
    shapes.push_back(traced({2, 6, 5, 2, 2}, 0.8, true));
    shapes.push_back(traced({2, 6, 5, 1, 1}, 0.8, true));
    for (const NetworkShape& shape : shapes) {
        INFO(static_cast<int>(shape.model), ", ", shape.layers);
        NetworkProblem problem(shape, small.batch, 0.3);
        if (shape.learns_lambda) problem.weights.back() = 0.7;
        CHECK(relative_difference(run_windows<double>(problem).gradient, differences(problem)) < 1e-7);
    }
}

TEST_CASE("lambda = 0 is the mask of Eq. (2)") {
    NetworkProblem problem(traced({4, 30, 64, 3, 1}, 0.0, false), 64);
    const auto masked = run_windows<double>(problem);
    problem.shape.mask = Mask::td;
    const auto [values, gradient] = naive_answer(problem);
    CHECK(relative_difference(masked.values, values) < 1e-10);
    CHECK(relative_difference(masked.gradient, gradient) < 1e-10);
}

TEST_CASE("with their construction's weights masked networks run TD(lambda) and average-reward TD") {
    const int d = 3, n = 20, L = 4, batch = 20;
    Stream stream(5, Purpose::testing);
    Mat C(d, d);
    for (double& c : C) c = 0.4 * stream.normal();
    for (const bool heads : {false, true}) {
        CAPTURE(heads);
        const MaskedSize size{d, n, batch, L, 1};
        NetworkProblem problem(heads ? two_heads(size, false) : traced(size, 0.6, false), batch);
        if (heads) problem.gamma = 1;
        std::vector<Mat> matrices;
        if (heads) {
            const TwoHeadLayer layer = average_reward_construction(C);
            matrices = {layer.P_reward, layer.Q, layer.P_memory, layer.Q};
        } else {
            const ConstructedLayer layer = td_construction(C);
            matrices = {layer.P, layer.Q};
        }
        problem.weights.clear();
        for (const Mat& matrix : matrices) {
            const Mat by_rows = matrix.transpose();
            problem.weights.insert(problem.weights.end(), by_rows.begin(), by_rows.end());
        }
        const auto exact = run_windows<double>(problem);
        std::vector<double> wanted;
        for (int w = 0; w <= batch; ++w) {
            const Mat Z = problem.prompt(w);
            const Transitions context{Z.topLeftCorner(d, n), Z.block(d, 0, d, n), Z.row(2 * d).head(n).transpose()};
            const BatchUpdate update = heads ? average_reward_update(context) : td_lambda_update(context, 0.6);
            wanted.push_back(batch_iterates(context, update, {C}, L).back().dot(Z.col(n).head(d)));
        }
        CHECK(relative_difference(exact.values, wanted) < 1e-12);
    }
}
