// Networks with a mask of traces and with two heads in experiment "td": they emerge with theory's weights, in pattern and
// in function, and with those of a wrong one in one of both at most.
#include "core/experiments/in_context_td/seed/td_masked_map.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "core/base/error.h"
#include "core/files/array_files.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

namespace emergence::td_masked_map_test {
namespace {

using testing::Changes;
using testing::message_of;
using testing::RunOf;

// P and Q of Theorem 1 with d = 4, their bootstrapping times `bootstrap`.
MetricHistory history_of(double bootstrap, const Changes& changes) {
    constexpr size_t kRows = 9;
    std::vector<float> P(kRows * kRows), Q(P);
    P.back() = 1.0F;
    for (size_t i = 0; i < 4; ++i) {
        Q[i * kRows + i] = -0.7F;
        Q[i * kRows + 4 + i] = static_cast<float>(0.7 * bootstrap);
    }
    testing::Scratch scratch;
    write_npz(scratch / "w.npz", {{"P", {{1, kRows, kRows}, P}}, {"Q", {{1, kRows, kRows}, Q}}});
    Changes all = {{"weights", (scratch / "w.npz").string()}, {"num_mrps", "0"}, {"seeds", "1"}, {"bank_size", "256"}};
    all.insert(all.end(), changes.begin(), changes.end());
    RunOf run("td", all);
    return run.history_to(0);
}

double last(const MetricHistory& history, const char* metric) { return history.column(metric, 0).back(); }

}  // namespace

TEST_CASE("with theory's weights a network under the mask of traces computes TD(lambda), not TD(0)") {
    const MetricHistory history = history_of(1, {{"mask", "td_lambda"}, {"mask_lambda", "0.9"}});
    CHECK(last(history, "map_beta") == doctest::Approx(1).epsilon(0.01));
    CHECK(last(history, "map_lambda") == doctest::Approx(0.9).epsilon(0.01));
    CHECK(last(history, "own_unexplained") < 1e-5);
    CHECK(last(history, "td_unexplained") > 0.05);
    CHECK(last(history, "emerged_pattern") == 1);
    CHECK(last(history, "emerged_function") == 1);
    // Half of the bootstrapping: the pattern alone.
    const MetricHistory half = history_of(0.55, {{"mask", "td_lambda"}, {"mask_lambda", "0.9"}});
    CHECK(last(half, "emerged_pattern") == 1);
    CHECK(last(half, "emerged_function") == 0);
}

TEST_CASE("a place that is another algorithm's is not the network's own") {
    MapPlace place;
    place.beta = 0.8, place.c = 0.2, place.unexplained = 0.02;
    CHECK_FALSE(is_own_masked_place(MapAxis::trace, 3, place, 0.9));
    CHECK(words_of_masked_place(MapAxis::trace, place) ==
          "bootstraps 0.80 of the way, its trace has \u03bb 0.20; 2 % unexplained");
    place.c = 0.85;
    CHECK(is_own_masked_place(MapAxis::trace, 3, place, 0.9));
    place.beta = MapPlace::kUnknown;
    CHECK_FALSE(is_own_masked_place(MapAxis::mean_reward, 3, place, 1));
    CHECK(is_own_masked_place(MapAxis::mean_reward, 1, place, 1));
}

TEST_CASE("two heads log what both read, a learned mask its lambda from its first value on") {
    RunOf heads(
        "td",
        {{"model", "two_heads"}, {"loss", "average_reward"}, {"num_mrps", "20"}, {"seeds", "1"}, {"bank_size", "64"}});
    const MetricHistory of_heads = heads.history_to(20);
    for (const char* metric : {"p_reward", "p_memory", "q1_trace_upper_left", "q2_trace_upper_right", "map_mean"})
        CHECK_NOTHROW(of_heads.column(metric, 0));
    CHECK(find_matrix(heads.snapshot(), "P2")->target->values.back() == 1);
    // Nothing is discounted, which the blocks say; another loss on the same network has its gamma.
    CHECK(find_matrix(heads.snapshot(), "Q1")->column_blocks[1].label == "\u03c6'");
    RunOf discounted("td", {{"model", "two_heads"}, {"num_mrps", "0"}, {"seeds", "1"}, {"bank_size", "64"}});
    CHECK(find_matrix(discounted.snapshot(), "Q1")->column_blocks[1].label == "\u03b3\u03c6'");
    CHECK(heads.snapshot().counts_function);
    CHECK(heads.snapshot().emerged_words == "compute average-reward TD");
    RunOf learned("td", {{"mask", "td_lambda"},
                         {"mask_lambda", "0.3"},
                         {"learn_mask_lambda", "true"},
                         {"num_mrps", "20"},
                         {"seeds", "1"},
                         {"bank_size", "64"}});
    const auto lambda = learned.history_to(20).column("mask_lambda", 0);
    CHECK(lambda.front() == doctest::Approx(0.3));
    CHECK(lambda.back() != lambda.front());
    CHECK(learned.snapshot().emerged_words ==
          fmt::format("compute TD(\u03bb), a trace: the mask's \u03bb is {:.2f}", lambda.back()));
}

TEST_CASE("what masked networks do not have is refused by its field") {
    const auto refused = [](const Changes& changes) {
        return message_of<InputError>([&] { testing::settings_with("td", changes); });
    };
    CHECK(refused({{"mask", "td_lambda"}, {"line_up", "true"}}) ==
          "line_up: is not made for mask = td_lambda. Set false.");
    CHECK(refused({{"model", "two_heads"}, {"sequential", "true"}}).starts_with("sequential: all layers of"));
    CHECK(refused({{"mask", "td_lambda"}, {"more_losses", "td_lambda"}}).starts_with("more_losses: is not made for"));
}

}  // namespace emergence::td_masked_map_test
