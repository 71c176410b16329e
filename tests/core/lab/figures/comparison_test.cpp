#include "core/lab/figures/comparison.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/files/array_files.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"
#include "tests/support/toy_study.h"

namespace emergence {
namespace {

FinishedRun toy_run(const std::string& name, const std::vector<std::string>& changes) {
    testing::RunOf run(testing::toy_info(), testing::toy_settings(changes), 1);
    MetricHistory history = run.history_to(0);
    for (const MetricRow& row : run.advance_to(run.study().target_step())) history.append(row);
    return {name, run.snapshot(), std::move(history)};
}

const ScoreDifference& difference_named(const std::vector<ScoreDifference>& all, const std::string& score) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const ScoreDifference& one) { return one.score == score; });
    REQUIRE(found != all.end());
    return *found;
}

}  // namespace

TEST_CASE("paired differences have the exact permutation test of their signs") {
    // All three differences are positive: of 8 flips the observed one and its negative reach the sum.
    const ScoreDifference one = difference_of("s", {1, 2, 3}, {2, 3, 5}, true);
    CHECK(one.mean_a == 2.0);
    CHECK(one.difference == doctest::Approx(4.0 / 3));
    CHECK(one.p == 0.25);
    CHECK(one.low == 1.0);
    CHECK(one.high == 2.0);
    CHECK(difference_of("s", {1, 2}, {1, 2}, true).p == 1.0);
    CHECK(difference_of("s", {1}, {2}, true).p == 1.0);
}

TEST_CASE("differences of shares have Newcombe's interval: all seeds of both runs are no certainty") {
    const std::vector<double> all(8, 1.0);
    for (const bool paired : {true, false}) {
        const ScoreDifference one = difference_of("s", all, all, paired, true);
        CHECK(one.difference == 0.0);
        CHECK(one.low == doctest::Approx(-0.3244).epsilon(1e-3));
        CHECK(one.high == doctest::Approx(0.3244).epsilon(1e-3));
    }
    CHECK(difference_of("s", all, all, true).low == 0.0);  // of numbers
    // Nothing but "emerged" is a share here.
    const auto differences =
        differences_of(toy_run("a", {"num_seeds=3"}), toy_run("b", {"num_seeds=3", "learning_rate=0.1"}));
    const ScoreDifference& emerged = difference_named(differences, kEmergedScore);
    CHECK(emerged.low < emerged.difference);
    CHECK(emerged.high > emerged.difference);
}

TEST_CASE("unpaired differences mix the seeds of both runs, with the same numbers each time") {
    const std::vector<double> a = {0, 0.1, 0.2, 0.1, 0, 0.2}, b = {5, 5.1, 5.2, 5.1};
    const ScoreDifference one = difference_of("s", a, b, false);
    CHECK(one.n_a == 6);
    CHECK(one.n_b == 4);
    CHECK(one.difference == doctest::Approx(5.0));
    CHECK(one.low > 4.8);
    CHECK(one.high < 5.2);
    CHECK(one.p < 0.02);  // 1 of 210 divisions
    const ScoreDifference again = difference_of("s", a, b, false);
    CHECK(again.low == one.low);
    CHECK(again.p == one.p);
    CHECK(difference_of("s", {0, 1, 0, 1}, {1, 0, 1, 0}, false).p > 0.5);
}

TEST_CASE("one training twice differs in nothing, shares too") {
    const FinishedRun a = toy_run("a", {"num_seeds=3"}), b = toy_run("b", {"num_seeds=3"});
    for (const ScoreDifference& one : differences_of(a, b)) {
        CAPTURE(one.score);
        CHECK(one.paired);
        CHECK(one.low == 0.0);
        CHECK(one.high == 0.0);
    }
}

TEST_CASE("many pairs flip at random, and the interval covers the truth") {
    std::vector<double> a, b;
    for (int i = 0; i < 40; ++i) {
        a.push_back(i);
        b.push_back(i + (i % 2 == 0 ? 0.5 : 1.5));
    }
    const ScoreDifference one = difference_of("s", a, b, true);
    CHECK(one.low < 1.0);
    CHECK(one.high > 1.0);
    CHECK(one.p < 1e-3);
}

TEST_CASE("runs are paired by the numbers of their seeds") {
    const FinishedRun a = toy_run("a", {"num_seeds=3", "num_steps=40"});
    const FinishedRun b = toy_run("b", {"num_seeds=3", "num_steps=40", "seed=1", "learning_rate=0.1"});
    const std::vector<ScoreDifference> all = differences_of(a, b);
    const ScoreDifference& loss = difference_named(all, "loss");
    CHECK(loss.paired);
    CHECK(loss.n_a == 2);  // seeds 1 and 2
    const std::vector<double> losses = values_of(scores_of_seeds(a), "loss");
    CHECK(loss.mean_a == doctest::Approx((losses[1] + losses[2]) / 2));
    CHECK(
        std::any_of(all.begin(), all.end(), [](const ScoreDifference& one) { return one.score.starts_with("norm "); }));
    CHECK(differing_settings({a, b}) == std::vector<std::string>{"learning_rate: 0.05, 0.1", "seed: 0, 1"});
    const FinishedRun c = toy_run("c", {"num_seeds=3", "num_steps=40", "seed=100"});
    CHECK_FALSE(difference_named(differences_of(a, c), "loss").paired);
    const std::string csv = comparison_csv({{"a", "b", all}});
    CHECK(csv.find("run_a,run_b,score,paired,n_a,n_b,mean_a,mean_b,difference,low,high,p,dropped\n") == 0);
    CHECK(testing::holds(csv, "\na,b,loss,1,2,2,"));
}

TEST_CASE("a block's norm is that of its entries, and failed seeds count for nothing") {
    const FinishedRun run = toy_run("a", {"num_steps=40", "diverge_seed=1"});
    const NamedMatrix& matrix = run.snapshot.matrices[0];
    const CellScores scores = scores_of_seeds(run);
    double sum = 0.0, blocks = 0.0;
    for (const double value : matrix.seeds[0].values) sum += value * value;
    for (const auto& [name, value] : scores[0])
        if (name.starts_with("norm " + matrix.name)) blocks += value * value;
    CHECK(blocks == doctest::Approx(sum));
    CHECK(std::isnan(values_of(scores, "loss")[1]));
    CHECK(difference_named(differences_of(run, run), "loss").n_a == 3);
}

TEST_CASE("two networks that differ by the scale of P against Q alone differ in no number") {
    const testing::Scratch folder;
    Stream stream(3, Purpose::testing, 0);
    std::vector<float> P(81), Q(81);
    for (float& entry : P) entry = static_cast<float>(0.1 * stream.normal());
    for (float& entry : Q) entry = static_cast<float>(0.1 * stream.normal());
    const auto compared = [&](const char* name, float scale) {
        std::vector<float> scaled_P = P, scaled_Q = Q;
        for (float& entry : scaled_P) entry *= scale;
        for (float& entry : scaled_Q) entry /= scale;
        const std::string file = (folder / (std::string(name) + ".npz")).string();
        write_npz(file, {{"P", {{1, 9, 9}, scaled_P}}, {"Q", {{1, 9, 9}, scaled_Q}}});
        testing::RunOf run("td", {{"weights", file}, {"seeds", "1"}, {"bank_size", "64"}, {"num_mrps", "0"}});
        MetricHistory history = run.history_to(0);
        return FinishedRun{name, run.snapshot(), std::move(history)};
    };
    const FinishedRun a = compared("a", 1), b = compared("b", 2);
    const CellScores of_a = scores_of_seeds(a), of_b = scores_of_seeds(b);
    REQUIRE(of_a[0].size() == of_b[0].size());
    size_t finite = 0;
    for (size_t i = 0; i < of_a[0].size(); ++i) {
        CAPTURE(of_a[0][i].first);
        const double x = of_a[0][i].second, y = of_b[0][i].second;
        finite += std::isfinite(x) ? 1 : 0;
        CHECK((std::isnan(x) ? std::isnan(y) : y == doctest::Approx(x).epsilon(1e-12)));
    }
    CHECK(finite > 25);  // the blocks of both matrices, and metrics of the function
    CHECK(values_of(of_a, "norm P0 x norm Q0")[0] > 0);
}

TEST_CASE("the figure of a comparison names its runs, and an unknown metric is refused") {
    const FinishedRun a = toy_run("a", {"num_steps=40"}), b = toy_run("b", {"num_steps=40", "learning_rate=0.1"});
    const FigureSpec figure = comparison_figure({a, b}, "loss");
    REQUIRE(figure.cells.size() == 2);
    const auto& curves = std::get<PlotSpec>(figure.cells[0].content);
    CHECK(curves.series.size() == 2);
    CHECK(curves.series[1].name == "b");
    const auto& seeds = std::get<PlotSpec>(figure.cells[1].content);
    CHECK(seeds.series[0].x.size() == 4);
    CHECK(testing::holds(figure.caption, "They differ in learning_rate: 0.05, 0.1."));
    CHECK(testing::message_of<InputError>([&] {
              comparison_figure({a, b}, "beauty");
          }).find("a: no metric 'beauty'. Metrics: loss") == 0);
}

TEST_CASE("one pair or one seed has no interval, and who was left out is said with the reason") {
    CHECK(std::isnan(difference_of("s", {1}, {2}, true).low));
    CHECK(std::isnan(difference_of("s", {1}, {2, 3}, false).high));
    FinishedRun a = toy_run("a", {"size=4"}), b = toy_run("b", {"size=4"});
    a.snapshot.seeds[0].failed = true;
    b.snapshot.seeds[3].seed = 99;
    const ScoreDifference loss = difference_named(differences_of(a, b), "loss");
    CHECK(loss.n_a == 2);
    const std::string first = std::to_string(a.snapshot.seeds[0].seed), last = std::to_string(a.snapshot.seeds[3].seed);
    CHECK(loss.dropped == "a: seed " + first + " failed, seed " + last + " is not in both; b: seed 99 is not in both");
    CHECK(difference_named(differences_of(b, b), "loss").dropped.empty());
    CHECK(why_not_compared(a, b) == "have no score in common");
    for (SeedStatus& seed : b.snapshot.seeds) seed.failed = true;
    CHECK(differences_of(a, b).empty());
    CHECK(why_not_compared(a, b) == "cannot be compared, because every network of b failed");
}

}  // namespace emergence
