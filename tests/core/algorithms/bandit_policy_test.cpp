#include "core/algorithms/bandit_policy.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace emergence;

TEST_CASE("the uniform policy pulls every arm alike and says so") {
    BanditTrajectory world;
    draw_bandit({.arms = 4}, 1, 0, world);
    UniformPolicy policy;
    policy.reset(world);
    Stream random = policy_stream(1, 0, 0);
    std::vector<int> pulls(4, 0);
    for (int round = 0; round < 4000; ++round) ++pulls[static_cast<size_t>(policy.choose(round, random).arm)];
    for (const int n : pulls) CHECK(std::abs(n - 1000) < 4 * 27.4);  // four standard deviations
    std::vector<double> probabilities;
    CHECK(policy.distribution(probabilities));
    CHECK(probabilities == std::vector<double>(4, 0.25));
}

TEST_CASE("arm-wise Thompson sampling finds the best arm and forgets it") {
    BanditTrajectory world;
    draw_bandit({.rounds = 400, .arms = 3, .frequency = 0.0}, 5, 0, world);
    ArmThompson policy({.discount = 0.98, .scale = 0.5, .prior = 0.1});
    policy.reset(world);
    Stream random = policy_stream(5, 0, 1);
    const auto play = [&](int from, int to, int good) {
        int hits = 0;
        for (int round = from; round < to; ++round) {
            const BanditChoice choice = policy.choose(round, random);
            policy.observe(choice.arm, choice.arm == good ? 2.0 : 0.0);
            if (round >= to - 50 && choice.arm == good) ++hits;
        }
        return hits;
    };
    CHECK(play(0, 200, 2) >= 45);
    CHECK(play(200, 400, 0) >= 45);
    policy.reset(world);
    CHECK(policy.choose(0, random).estimate == 0.0);
}
