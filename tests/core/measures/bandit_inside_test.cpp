#include "core/measures/bandit_inside.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

using namespace emergence;

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
    const Agreement a = agreement_with(BanditAlgorithm::discounted, world, play, again);
    const Agreement b = agreement_with(BanditAlgorithm::discounted, world, play, and_again);
    CHECK(a.same == b.same);
    CHECK(a.log_likelihood == b.log_likelihood);
    CHECK(a.same.size() == 40);
    for (const double l : a.log_likelihood) CHECK((l <= 0.0 && std::isfinite(l)));
}
