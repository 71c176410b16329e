// The bank's errors against their definitions, from the same tasks and contexts. Scores: network_evaluator_test.cpp.
#include "core/measures/held_out_bank.h"

#include <doctest/doctest.h>

#include "core/algorithms/context_algorithms.h"
#include "core/experiments/stacked.h"
#include "core/measures/network_evaluator.h"
#include "core/models/constructions.h"

using namespace emergence;

TEST_CASE("predicting zero and the best linear values err as their definitions say") {
    for (const auto& [d, average] : {std::pair(2, false), {4, false}, {8, false}, {4, true}}) {
        CAPTURE(d);
        const BankOptions options{
            .tasks = {.d = d}, .size = 21, .context_lengths = {7, 30}, .seed = 3, .average_reward = average};
        const HeldOutBank bank(options);
        double zero = 0, best = 0;
        for (uint32_t i = 0; i < 21; ++i) {
            Mrp mrp;
            draw_mrp(options.tasks, 3, i, mrp);
            const Vec weight = stationary_distribution(mrp);
            const Vec v = average ? differential_value(mrp, weight) : true_value(mrp, 0.9);
            zero += value_difference(Vec::Zero(10), v, weight) / 21;
            const Vec w = implicit_weight(mrp.features, v, weight);
            best += value_difference(mrp.features.transpose() * w, v, weight) / 21;
        }
        CHECK(bank.msve_of_zero() == doctest::Approx(zero).epsilon(1e-9));
        if (average)
            CHECK(bank.msve_of_best_linear() < zero);
        else
            CHECK(bank.msve_of_best_linear() == doctest::Approx(best).epsilon(1e-6));
        const std::vector<float> zeros(static_cast<size_t>((2 * d + 1) * (2 * d + 1)));
        const BankScores scores = bank.compare(1, {2, 1, zeros.data(), zeros.data()}, 1.3F);
        CHECK(bank.msve_by_length(2, 1.3F)[1] == doctest::Approx(scores.msve_batch_td).epsilon(1e-5));
    }
}

TEST_CASE("a shorter context is the start of a longer one") {
    const HeldOutBank both({.size = 5, .context_lengths = {3, 9}, .seed = 2}),
        single({.size = 5, .context_lengths = {3}, .seed = 2});
    const GramBank a = both.contexts(0), b = single.contexts(0);
    CHECK(std::vector<float>(a.grams, a.grams + a.group_size()) ==
          std::vector<float>(b.grams, b.grams + b.group_size()));
}

TEST_CASE("a pool's bank has its tasks in turn, on trajectories of their own") {
    BankOptions options{.size = 6, .context_lengths = {20}, .seed = 3, .pool_size = 2};
    const HeldOutBank pool(options);
    const auto P = floats_of(Mat::Zero(9, 9));
    const auto errors = pool.errors(0, LinearAttentionView{1, 1, P.data(), P.data()});
    options.pool_size = 0;
    const HeldOutBank fresh(options);
    const auto all = fresh.errors(0, LinearAttentionView{1, 1, P.data(), P.data()});
    for (size_t i = 0; i < 6; ++i) CHECK(errors[i] == all[i % 2]);  // predict-zero: the task's alone
    CHECK(all[2] != all[0]);
    const GramBank a = pool.contexts(0), b = fresh.contexts(0);
    CHECK(a.grams[0] != b.grams[0]);  // task 0 in both
    CHECK(a.grams[0] != a.grams[2]);  // task 0 twice
}

TEST_CASE("the context's mean reward: the least error of its multiples, at each context length") {
    const BankOptions options{.tasks = {.kind = TaskKind::boyan}, .size = 6, .context_lengths = {3, 30}, .seed = 3};
    const HeldOutBank bank(options);
    const std::vector<double> found = bank.msve_of_mean_reward();
    REQUIRE(found.size() == 2);
    for (size_t index = 0; index < 2; ++index) {
        const auto error_of = [&](double factor) {
            double sum = 0;
            for (uint32_t i = 0; i < 6; ++i) {
                Mrp mrp;
                draw_mrp(options.tasks, 3, i, mrp);
                Stream stream(3, Purpose::trajectory, i);
                const Transitions context =
                    transitions_along(mrp, 0.9, draw_path(mrp, options.context_lengths[index], stream));
                const Vec estimate = Vec::Constant(mrp.num_states(), factor * context.reward.mean());
                sum += value_difference(estimate, true_value(mrp, 0.9), stationary_distribution(mrp));
            }
            return sum / 6;
        };
        double least = error_of(0);
        for (double factor = -5; factor < 20; factor += 0.01) least = std::min(least, error_of(factor));
        CHECK(found[index] == doctest::Approx(least).epsilon(1e-3));
        CHECK(found[index] <= bank.msve_of_zero());
    }
}

TEST_CASE("a bank of CartPoles measures similarities, and has no value errors") {
    const HeldOutBank bank({.tasks = {.kind = TaskKind::cart_pole}, .size = 20, .context_lengths = {50}, .seed = 3});
    CHECK_FALSE(bank.has_values());
    const ConstructedLayer layer = td_construction(0.8 * Mat::Identity(4, 4));
    const auto P = floats_of(layer.P), Q = floats_of(layer.Q);
    const BankScores scores = bank.compare(0, {3, 1, P.data(), Q.data()}, 0.8F);
    CHECK(scores.implicit_weight_similarity == doctest::Approx(1).epsilon(1e-5));
    CHECK(scores.msve == 0);
}
