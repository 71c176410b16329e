#include "core/measures/bandit_measures.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "core/base/rng.h"

using namespace emergence;

TEST_CASE("the optimal rate by hand") {
    BanditTrajectory world;
    draw_bandit({.kind = BanditKind::abrupt, .rounds = 90, .segments = 3}, 1, 0, world);
    const double first = (world.means.col(0) - world.means.col(30)).cwiseAbs().maxCoeff();
    const double second = (world.means.col(30) - world.means.col(60)).cwiseAbs().maxCoeff();
    const std::vector<double> rates = optimal_rate(world, {0, 30, 31, 90});
    CHECK(rates[0] == 0.0);
    CHECK(rates[1] == doctest::Approx(std::sqrt(30.0)));  // nothing has changed: J = 1, Delta = 0
    const auto rate = [](double J, double delta, double t) {
        return std::min(std::sqrt(J * t), std::pow(delta, 1.0 / 3) * std::pow(t, 2.0 / 3) + std::sqrt(t));
    };
    CHECK(rates[2] == doctest::Approx(rate(2, first, 31)));
    CHECK(rates[3] == doctest::Approx(rate(3, first + second, 90)));
}

TEST_CASE("a constant is fitted by least squares") {
    CHECK(fitted_constant({1, 2, 3}, {2, 4, 6}) == doctest::Approx(2));
    CHECK(fitted_constant({1, 1}, {1, 3}) == doctest::Approx(2));
    CHECK(fitted_constant({0, 0}, {1, 3}) == 0.0);
}

TEST_CASE("an exponent and its interval") {
    const std::vector<double> x = {1, 2, 4, 8, 16};
    Stream random(3, Purpose::testing);
    std::vector<std::vector<double>> exact(5), noisy(60);
    for (auto& row : exact)
        for (const double at : x) row.push_back(3 * std::sqrt(at));
    for (auto& row : noisy)
        for (const double at : x) row.push_back(3 * std::cbrt(at) * (1 + 0.3 * random.normal()));
    const FittedExponent half = fitted_exponent(x, exact);
    CHECK(half.value == doctest::Approx(0.5));
    CHECK(half.low == doctest::Approx(0.5));
    CHECK(half.high == doctest::Approx(0.5));
    const FittedExponent third = fitted_exponent(x, noisy);
    CHECK(third.low < 1.0 / 3);
    CHECK(third.high > 1.0 / 3);
    CHECK(third.high - third.low < 0.2);
    CHECK(std::isnan(fitted_exponent({0, 1}, {{1, 1}}).value));
}

TEST_CASE("distance back is read off the diagonals") {
    Table map(3, 3);
    map.values = {1.0, 0.0, 0.0, 0.25, 0.75, 0.0, 0.5, 0.3, 0.2};
    const auto mean = attention_by_distance(map);
    CHECK(mean[0] == doctest::Approx((1.0 + 0.75 + 0.2) / 3));
    CHECK(mean[1] == doctest::Approx((0.25 + 0.3) / 2));
    CHECK(mean[2] == doctest::Approx(0.5));
}

TEST_CASE("a play, its attention and its neighbours among the algorithms") {
    const BanditBank bank(BanditFamily{.rounds = 40}, 5, 1);
    const BanditTrajectory& world = bank.worlds()[0];
    const CausalTransformerShape shape{.rounds = 40};
    const auto weights = initial_causal_weights(shape, 0);
    TransformerPolicy policy(shape, weights, 1.0);
    Stream random = policy_stream(5, 0, 0);
    const NetworkPlay play = play_network(policy, world, random);
    CHECK(play.arms.size() == 40);
    for (int t = 0; t < 40; ++t) {
        double sum = 0;
        for (int k = 0; k < 10; ++k) sum += play.probabilities(k, t);
        CHECK(sum == doctest::Approx(1.0));
        CHECK(play.rewards[static_cast<size_t>(t)] ==
              static_cast<float>(world.reward(t, play.arms[static_cast<size_t>(t)])));
    }
    const auto network = make_causal_transformer<float>(shape);
    network->set_weights(weights.data());
    std::vector<float> logits(400);
    network->logits(play.history(), logits.data());
    const Table map = attention_map(*network, 1, 0, 40);
    for (int i = 0; i < 40; ++i) {
        double sum = 0;
        for (int j = 0; j < 40; ++j) sum += map(i, j);
        CHECK(sum == doctest::Approx(1.0));
        CHECK((i == 39 || map(i, 39) == 0.0));
    }
    // An algorithm that is told the network's history and the same random numbers agrees with itself.
    Stream again = policy_stream(5, 0, 1), and_again = policy_stream(5, 0, 1);
    const std::vector<double> a = agreement_with(BanditAlgorithm::discounted, world, play, again);
    const std::vector<double> b = agreement_with(BanditAlgorithm::discounted, world, play, and_again);
    CHECK(a == b);
    REQUIRE(a.size() == 40);
    CHECK(std::accumulate(a.begin(), a.end(), 0.0) > 0);
    for (const double agrees : a) CHECK((agrees == 0 || agrees == 1));
}
