#include "core/algorithms/bandit_policy.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace emergence;

TEST_CASE("the uniform policy pulls every arm alike") {
    BanditTrajectory world;
    draw_bandit({.arms = 4}, 1, 0, world);
    const auto policy = make_policy(BanditAlgorithm::uniform, {});
    policy->reset(world);
    Stream random = policy_stream(1, 0, 0);
    std::vector<int> pulls(4, 0);
    for (int round = 0; round < 4000; ++round) ++pulls[static_cast<size_t>(policy->choose(round, random).arm)];
    for (const int n : pulls) CHECK(std::abs(n - 1000) < 4 * 27.4);  // four standard deviations
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

TEST_CASE("a policy plays the second environment as if there had been no first one") {
    for (const BanditAlgorithmInfo& info : bandit_algorithms()) {
        CAPTURE(info.name);
        BanditTrajectory first, second;
        draw_bandit({.rounds = 150}, 1, 0, first);
        draw_bandit({.rounds = 150, .arms = 7}, 1, 1, second);
        const auto used = make_policy(info.algorithm, {}), fresh = make_policy(info.algorithm, {});
        BanditPlay play, again;
        Stream random = policy_stream(1, 0, info.stream);
        play_bandit(first, *used, random, play);
        Stream one = policy_stream(1, 1, info.stream), same = policy_stream(1, 1, info.stream);
        play_bandit(second, *used, one, play);
        play_bandit(second, *fresh, same, again);
        CHECK(play.arms == again.arms);
        CHECK(play.regret == again.regret);
    }
}

TEST_CASE("choices follow softmax(logits / temperature)") {
    std::vector<double> p;
    choice_probabilities({0.0F, std::log(3.0F)}, 1.0, p);
    CHECK(p[1] == doctest::Approx(0.75));
    choice_probabilities({0.0F, std::log(3.0F)}, 0.5, p);
    CHECK(p[1] == doctest::Approx(0.9));
    choice_probabilities({0.0F, 1.0F, 1.0F}, 0.0, p);
    CHECK(p == std::vector<double>{0.0, 1.0, 0.0});
}

TEST_CASE("the policy plays what the whole forward pass says of its own history") {
    BanditFamily family;
    family.rounds = 25;
    const CausalTransformerShape shape{.rounds = 25};
    const auto weights = initial_causal_weights(shape, 0);
    const BanditBank bank(family, 5, 3);
    TransformerPolicy policy(shape, weights, 0.7);
    const auto network = make_causal_transformer<float>(shape);
    network->set_weights(weights.data());
    for (const BanditTrajectory& world : bank.worlds()) {
        policy.reset(world);
        Stream random = policy_stream(5, 0, 0);
        std::vector<int> arms;
        std::vector<float> rewards, logits(25 * 10);
        std::vector<std::vector<double>> chances;
        for (int round = 0; round < world.rounds(); ++round) {
            arms.push_back(policy.choose(round, random).arm);
            chances.emplace_back();
            choice_probabilities(policy.logits(), 0.7, chances.back());
            rewards.push_back(static_cast<float>(world.reward(round, arms.back())));
            policy.observe(arms.back(), world.reward(round, arms.back()));
        }
        const auto actions = network_actions(world);
        network->logits({25, actions.data(), arms.data(), rewards.data(), nullptr}, logits.data());
        for (size_t t = 0; t < 25; ++t) {
            std::vector<double> expected;
            const auto first = logits.begin() + static_cast<std::ptrdiff_t>(10 * t);
            choice_probabilities({first, first + 10}, 0.7, expected);
            CHECK(chances[t] == expected);
        }
    }
    CHECK(bank.regrets(policy, 1) == bank.regrets(policy, 1));
}
