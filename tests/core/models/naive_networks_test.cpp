// The naive networks: values worked out by hand, backward passes against finite differences.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/core/models/network_problem.h"
#include "tests/support/differences.h"

using namespace emergence;

namespace {

double error_by_weights(NetworkProblem& problem, const Mat& Z) {
    std::vector<double> gradient(problem.weights.size(), 0.0), w = problem.weights;
    problem.naive(Z, w, 1.0, &gradient);
    return testing::relative_difference(testing::slopes_by(w, [&] { return problem.naive(Z, w, 1.0, nullptr); }),
                                        gradient);
}

double error_by_prompt(NetworkProblem& problem, Mat Z) {
    problem.naive(Z, problem.weights, 1.0, nullptr);
    const Mat gradient = problem.prompt_gradient;
    const auto slopes = testing::slopes_by(Z, [&] { return problem.naive(Z, problem.weights, 1.0, nullptr); });
    return testing::relative_difference(slopes, std::vector<double>(gradient.begin(), gradient.end()));
}

}  // namespace

TEST_CASE("one layer of softmax attention, worked out by hand") {
    // d = 1, n = 1: Z = [1 2; 0.5 0; 3 0]. Q has only Q(0,0) = 1: scores are the products of first entries.
    Eigen::MatrixXd Z(3, 2), P = Eigen::MatrixXd::Zero(3, 3), Q = P;
    Z << 1, 2, 0.5, 0, 3, 0;
    P(2, 2) = 1;
    Q(0, 0) = 1;
    const double by_row = std::exp(2) / (std::exp(1) + std::exp(2));     // row 0: scores 1, 2
    const double by_column = std::exp(2) / (std::exp(2) + std::exp(4));  // the query's column: 2, 4
    const auto value = [&](Activation activation) {
        NaiveAttention<double> net({P}, {Q}, 1, activation);
        net.forward(Z);
        return net.value();
    };
    CHECK(value(Activation::softmax) == doctest::Approx(-3 * by_row).epsilon(1e-12));
    CHECK(value(Activation::softmax_columns) == doctest::Approx(-3 * by_column).epsilon(1e-12));
    CHECK(value(Activation::identity) == doctest::Approx(-6.0));
    CHECK(value(Activation::relu) == doctest::Approx(-6.0));
    CHECK(value(Activation::tanh) == doctest::Approx(-3 * std::tanh(2)).epsilon(1e-12));
    Q(0, 0) = -1;
    CHECK(value(Activation::relu) == 0.0);
    CHECK(value(Activation::elu) == doctest::Approx(-3 * (std::exp(-2) - 1)).epsilon(1e-12));
}

TEST_CASE("a recurrent network of one unit, worked out by hand") {
    RnnWeights<double> w({.model = Model::rnn, .layers = 2, .width = 1});
    for (auto& layer : w.layers) {
        layer.W_ax = Eigen::MatrixXd::Constant(1, 1, 0.5);
        layer.W_aa = Eigen::MatrixXd::Constant(1, 1, 0.25);
        layer.b_a = Eigen::VectorXd::Constant(1, 0.1);
    }
    w.W_o = Eigen::VectorXd::Constant(1, 2.0);
    Eigen::MatrixXd tokens(1, 2);
    tokens << 1, -1;
    const double a1 = std::tanh(0.6), a2 = std::tanh(-0.5 + 0.25 * a1 + 0.1);
    const double b1 = std::tanh(0.5 * a1 + 0.1), b2 = std::tanh(0.5 * a2 + 0.25 * b1 + 0.1);
    CHECK(NaiveRnn<double>(w).forward(tokens) == doctest::Approx(2 * b2).epsilon(1e-14));
}

TEST_CASE("every naive network's gradient equals finite differences to 1e-6") {
    for (const int layers : {1, 2, 3})
        for (const int stored : {1, layers})
            for (const NetworkShape& shape : every_network(2, 5, layers, stored, 3)) {
                INFO(static_cast<int>(shape.model), ", ", static_cast<int>(shape.activation), ", ", layers);
                NetworkProblem problem(shape, 4, 0.7);
                CHECK(error_by_weights(problem, problem.prompt(1)) < 1e-6);
                CHECK(error_by_prompt(problem, problem.prompt(2)) < 1e-6);
            }
}
