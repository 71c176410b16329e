#include "core/lab/quantity/quantity.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/statistics.h"
#include "tests/support/quantity_run.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

Measurement of_run(const FinishedRun& run, const std::string& text) {
    return measured(RunView(run), parse_quantity(text));
}
Measurement of_runs(const std::vector<FinishedRun>& runs, const std::string& text) {
    std::vector<RunView> views;
    for (const FinishedRun& run : runs) views.emplace_back(run);
    return measured(views, parse_quantity(text));
}

// The values of quantities parted by ";", of one run or several.
std::string values_of(const std::vector<FinishedRun>& runs, const std::string& texts) {
    std::string all;
    for (size_t at = 0, end = 0; end != std::string::npos; at = end + 1) {
        end = texts.find(';', at);
        const std::string text = texts.substr(at, end - at);
        all += fmt::format("{:.4g} ", runs.size() == 1 ? of_run(runs[0], text).value : of_runs(runs, text).value);
    }
    all.pop_back();
    return all;
}

FinishedRun with_emerged(FinishedRun run, const std::vector<size_t>& places) {
    for (const size_t place : places) run.snapshot.seeds[place].emerged = true;
    return run;
}
FinishedRun with_failed(FinishedRun run, const std::vector<size_t>& places) {
    for (const size_t place : places) run.snapshot.seeds[place].failed = true;
    return run;
}

}  // namespace

TEST_CASE("reductions worked out by hand") {
    const FinishedRun run = quantity_run({0, 1, 2, 3}, {{1}, {2}, {4}, {9}});
    CHECK(values_of({run}, "mean(metric loss);median(metric loss);least(metric loss);greatest(metric loss)") ==
          "4 3 1 9");
    CHECK(values_of({run}, "quantile(metric loss, 0.25);share(metric loss < 3);count(metric loss >= 4)") ==
          "1.75 0.5 2");
    CHECK(values_of({run}, "median(metric loss) / least(metric loss);scalar probe / 2") == "3 3.5");
    CHECK(of_run(run, "deviation(metric loss)").value == doctest::Approx(std::sqrt(38.0 / 3)));
    CHECK(of_run(run, "scalar probe / 2").n == 0);
}

TEST_CASE("a bare mean has Student's interval, a bare share Wilson's, anything else bootstrap's") {
    const FinishedRun run = quantity_run({0, 1, 2, 3}, {{1}, {2}, {4}, {9}});
    const Measurement mean = of_run(run, "mean(metric loss)");
    REQUIRE(mean.interval);
    CHECK(*mean.interval == interval_of_mean(4, std::sqrt(38.0 / 12), 4));
    CHECK(mean.n == 4);
    const Measurement share = of_run(run, "share(metric loss < 3)");
    CHECK(share.detail == "2 of 4");
    CHECK(share.interval->low == fraction(2, 4).low);
    const Measurement ratio = of_run(run, "mean(metric loss) / mean(metric twice)");
    // The draws are those of all reductions: of a constant ratio every draw is the same.
    CHECK(ratio.value == 0.5);
    CHECK(ratio.interval->low == 0.5);
    CHECK(ratio.interval->high == 0.5);
    CHECK(ratio.n == 4);
    CHECK(of_run(run, "run 0: mean(metric loss)").interval == mean.interval);
    CHECK_FALSE(of_run(quantity_run({0}, {{1}}), "median(metric loss)").interval);
}

TEST_CASE("the seeds that emerged, alone and beside the others") {
    const FinishedRun run = with_emerged(quantity_run({0, 1, 2, 3}, {{1}, {2}, {4}, {9}}), {1, 2});
    CHECK(of_run(run, "mean(metric loss of emerged)").value == 3);
    CHECK(of_run(run, "mean(metric loss of emerged)").n == 2);
    CHECK(of_run(run, "mean(metric loss of not emerged)").value == 5);
    const Measurement both = of_run(run, "mean(metric loss of not emerged) - mean(metric loss of emerged)");
    CHECK(both.value == 2);
    CHECK(both.n == 4);
    CHECK(of_run(run, "median(metric loss of emerged)").n == 2);
    const FinishedRun none = quantity_run({0, 1}, {{1}, {2}});
    CHECK(std::isnan(of_run(none, "median(metric loss of emerged)").value));
    CHECK(of_run(none, "median(metric loss of emerged)").n == 0);
}

TEST_CASE("a failed seed has no value, has not emerged, and shifts no other") {
    const FinishedRun run = with_failed(with_emerged(quantity_run({5, 7, 9}, {{1}, {50}, {3}}), {0}), {1});
    CHECK(of_run(run, "mean(metric loss)").value == 2);
    CHECK(of_run(run, "mean(metric loss)").n == 2);
    CHECK(of_run(run, "share(emerged)").detail == "1 of 3");
    CHECK(of_run(run, "count(failed)").value == 1);
    CHECK(of_run(run, "share(metric loss < 2)").detail == "1 of 2");
}

TEST_CASE("NaN of a living seed stays, unless it is left out by name") {
    const FinishedRun run = quantity_run({0, 1, 2}, {{1}, {kMissing}, {3}});
    for (const char* text : {"mean(metric loss)", "median(metric loss)", "least(metric loss)", "greatest(metric loss)",
                             "share(metric loss < 2)", "count(metric loss < 2)"})
        CHECK(std::isnan(of_run(run, text).value));
    CHECK(of_run(run, "mean(metric loss of known)").value == 2);
    CHECK(of_run(run, "mean(metric loss of known)").n == 2);
    CHECK(of_run(run, "greatest(metric loss of known)").value == 3);
}

TEST_CASE("no step, or a run that diverged whole: no value, no interval") {
    const FinishedRun begun = quantity_run({0, 1}, {{}, {}});
    CHECK(std::isnan(of_run(begun, "median(metric loss)").value));
    const FinishedRun lost = with_failed(quantity_run({0, 1}, {{1}, {2}}), {0, 1});
    for (const char* text : {"mean(metric loss)", "median(metric loss)", "least(metric loss)"}) {
        CHECK(std::isnan(of_run(lost, text).value));
        CHECK(of_run(lost, text).n == 0);
        CHECK_FALSE(of_run(lost, text).interval);
    }
    CHECK(of_run(lost, "share(emerged)").value == 0);
}

TEST_CASE("runs are paired by the numbers of their seeds, whatever their order") {
    const FinishedRun folders = quantity_run({0, 1, 10, 2}, {{0.0}, {0.1}, {1.0}, {0.2}});
    // Seed 1 diverged here only, seed 4 is here only.
    const FinishedRun other = with_failed(quantity_run({2, 10, 1, 0, 4}, {{20}, {100}, {7}, {0}, {9}}), {2});
    const std::vector<FinishedRun> runs = {folders, other};
    const Measurement ratio = of_runs(runs, "run 1: mean(metric loss) / run 0: mean(metric loss)");
    CHECK(ratio.value == doctest::Approx(100));
    CHECK(ratio.n == 3);
    CHECK(of_runs(runs, "mean(run 1: metric loss - metric loss)").value == doctest::Approx((120 - 1.2) / 3));
    CHECK(of_runs(runs, "greatest(run 1: metric loss)").value == 100);
    CHECK(of_runs(runs, "greatest(metric loss)").n == 4);
}

TEST_CASE("runs without a common seed are compared unpaired") {
    const std::vector<FinishedRun> runs = {quantity_run({0, 1}, {{1}, {3}}), quantity_run({2, 3, 4}, {{4}, {5}, {6}})};
    const Measurement difference = of_runs(runs, "run 1: mean(metric loss) - run 0: mean(metric loss)");
    CHECK(difference.value == 3);
    CHECK(difference.n == 5);
    CHECK(difference.interval->low < 3);
    CHECK(std::isnan(of_runs(runs, "mean(run 1: metric loss - metric loss)").value));
}

TEST_CASE("pools of runs are paired seed by seed, and count pairs") {
    const std::vector<FinishedRun> runs = {quantity_run({0, 1}, {{1}, {2}}),
                                           quantity_run({2, 3}, {{3}, {4}}),  // one setting in two parts
                                           quantity_run({0, 1}, {{2}, {3}}), quantity_run({2, 3, 9}, {{4}, {5}, {7}})};
    const Measurement difference = of_runs(runs, "(runs 2, 3: mean(metric loss)) - (runs 0, 1: mean(metric loss))");
    CHECK(difference.value == 1);
    CHECK(difference.n == 4);
    CHECK(*difference.interval == Range{1, 1});  // one in every pair
    CHECK(of_runs(runs, "runs 2, 3: median(metric loss)").n == 5);
}

TEST_CASE("a seed that diverges in one panel only, and a panel that diverges whole, among several runs") {
    std::vector<FinishedRun> runs = {quantity_run({0, 1, 2}, {{1}, {2}, {3}}),
                                     with_failed(quantity_run({0, 1, 2}, {{4}, {9}, {6}}), {1})};
    runs[0].label = "L = 1";
    runs[1].label = "L = 2";
    CHECK(of_runs(runs, "run 'L = 2': mean(metric loss)").value == 5);
    CHECK(of_runs(runs, "over runs greatest(mean(metric loss))").value == 5);
    CHECK(of_runs(runs, "over runs greatest(mean(metric loss))").n == 2);
    CHECK(of_runs(runs, "over runs least(median(metric loss))").value == 2);
    CHECK(holds(message_of<InputError>([] { (void)parse_quantity("over runs mean(mean(metric loss))"); }),
                "least( ) or greatest( ) is expected"));
    runs[1].snapshot.scalars[0].value = 3.0;
    CHECK(of_runs(runs, "over runs least(scalar probe)").value == 3.0);
    const FinishedRun whole = with_failed(quantity_run({0, 1, 2}, {{7}, {8}, {9}}), {0, 1, 2});
    runs.push_back(whole);
    CHECK(std::isnan(of_runs(runs, "over runs greatest(mean(metric loss))").value));
    CHECK(std::isnan(of_runs(runs, "over runs least(mean(metric loss))").value));
    CHECK(holds(message_of<InputError>([&] { (void)of_runs(runs, "run 'L = 3': mean(metric loss)"); }),
                "unknown run 'L = 3'. Known: L = 1, L = 2"));
}

TEST_CASE("a reduction of several quantities or runs counts all their values") {
    const FinishedRun run = quantity_run({0, 1}, {{1}, {3}});
    const Measurement mean = of_run(run, "mean(metric loss, metric twice)");
    CHECK(mean.value == 3);  // of 1, 3, 2, 6
    CHECK(mean.n == 4);
    CHECK(*mean.interval == interval_of_mean(3, std::sqrt(14.0 / 3 / 4), 4));
    CHECK(of_run(run, "median(metric loss, metric twice)").value == 2.5);
    const std::vector<FinishedRun> runs = {with_emerged(quantity_run({0, 1}, {{1}, {3}}), {0}),
                                           with_failed(quantity_run({5, 6, 7}, {{1}, {4}, {9}}), {2})};
    const Measurement share = of_runs(runs, "runs 0, 1: share(metric loss > 2)");
    CHECK(share.detail == "2 of 4");
    CHECK(share.interval->high == fraction(2, 4).high);
    CHECK(of_runs(runs, "runs 0, 1: share(emerged)").detail == "1 of 5");
    CHECK(of_runs(runs, "runs 0, 1: count(metric loss > 2 and metric twice < 7)").value == 1);
    CHECK(of_runs(runs, "runs 0, 1: mean(metric loss of emerged)").value == 1);
    CHECK(holds(message_of<InputError>([&] { (void)of_runs(runs, "runs 0, 1: seeds"); }), "needs a reduction"));
}

TEST_CASE("standard errors, shares of the last step, the best checkpoint, the beginning of a name") {
    const FinishedRun run = quantity_run({0, 1}, {{1, 4, 2, 3}, {5, 2, 2, 1}});
    // 60 %: at step 20.
    CHECK(values_of({run}, "standard_error(metric loss);t(metric loss);greatest(metric loss at 60 %)") == "1 2 2");
    CHECK(values_of({run},
                    "mean(metric loss at greatest loss twice);least(curve 'by length' batch at last);"
                    "greatest(greatest(metric loss, metric twice, 7))") == "4.5 9 7");
    CHECK(holds(message_of<InputError>([&] { (void)of_run(run, "mean(metric loss at greatest lss)"); }),
                "unknown metric 'lss'"));
}

TEST_CASE("over x: over the steps of a metric or the x of a curve, all or a part") {
    const FinishedRun run = quantity_run({0, 1}, {{1, 4, 2, 3}, {5, 2, 2, 1}});
    CHECK(values_of({run},
                    "over x greatest(mean(metric loss at x));"
                    "over x from 50 % to 100 % greatest(mean(metric loss at x))") == "3 2");
    CHECK(values_of({run},
                    "greatest(over x greatest(metric loss at x));"
                    "mean(over x from 0 % to 40 % mean(metric loss at x))") == "5 3");
    CHECK(values_of({run},
                    "over x share(mean(metric loss at x) >= 2.5);"
                    "over x least(mean(curve 'by length' 'batch TD' at x))") == "0.5 7");
    const Measurement drop = of_run(run, "mean(metric loss) - over x greatest(mean(metric loss at x))");
    CHECK(drop.value == -1);
    CHECK(drop.n == 2);
    REQUIRE(drop.interval);
    CHECK(drop.interval->low == -4);  // of the second seed alone, 1 less 5
    const auto why = [&](const char* text) { return message_of<InputError>([&] { (void)of_run(run, text); }); };
    CHECK(holds(why("mean(metric loss at x)"), "a number is expected where 'x' stands"));
    CHECK(holds(why("over x median(metric loss at x)"), "least( ), greatest( ), mean( ) or share( )"));
    CHECK(std::isnan(of_run(quantity_run({0}, {{}}), "over x greatest(mean(metric loss at x))").value));
}

TEST_CASE("a curve whose rows are no seeds is reduced over its rows") {
    FinishedRun run = quantity_run({0}, {{1}});
    run.snapshot.plots.push_back({});
    PlotSpec& plot = run.snapshot.plots.back();
    plot.id = "closed loop";
    plot.row_word = "MDP";
    plot.series = {{"teacher", {0, 10}, {{0, 1}, {0, 2}, {0, 6}}}, {"transformer", {0, 10}, {{0, 2}, {0, 2}, {0, 8}}}};
    plot.lines = {{"oracle", 5.0, false}};
    const std::string difference = "curve 'closed loop' transformer at last - curve 'closed loop' teacher at last";
    const Measurement mean = of_run(run, "mean(" + difference + ")");
    CHECK(mean.value == 1);
    CHECK(mean.n == 3);
    CHECK(of_run(run, "median(curve 'closed loop' transformer at 100 %)").value == 2);
    CHECK(of_run(run, "share(curve 'closed loop' transformer at 9 < curve 'closed loop' oracle at 9)").detail ==
          "2 of 3");
    const auto why = [&](const std::string& text) { return message_of<InputError>([&] { (void)of_run(run, text); }); };
    CHECK(holds(why("mean(metric loss / curve 'closed loop' teacher at 1)"), "column 6: has one value per network"));
    CHECK(holds(why("mean(curve 'closed loop' teacher at 1 of emerged)"), "Leave 'of' out"));
    CHECK(holds(
        message_of<InputError>([&] { (void)values(RunView(run), parse_quantity("curve 'closed loop' teacher at 1")); }),
        "rows are not networks"));
    // The pictures of a figure have rows only, and are no run.
    const MetricHistory none;
    std::vector<RunView> views = {RunView(run), RunView(run.snapshot, none, "figure")};
    views.back().drawn = true;
    CHECK(measured(views, parse_quantity("run figure: greatest(curve 'by length' network at 10)")).n == 1);
    CHECK(measured(views, parse_quantity("over runs greatest(mean(metric loss))")).value == 1);
}

TEST_CASE("one number for each seed is no measurement of a run") {
    CHECK(message_of<InputError>([] { (void)of_run(quantity_run({0}, {{1}}), "metric loss / 2"); }) ==
          "\"metric loss / 2\": column 1: is one number per network. Reduce it to one number, for example with mean( "
          ") or median( )");
}
