#include "core/algorithms/transformer_policy.h"

#include <doctest/doctest.h>

#include <numeric>

using namespace emergence;

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
            CHECK(policy.distribution(chances.back()));
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
