// Claims that are expressions over runs, and the numbers in their details.
#include "core/lab/figures/claims.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/base/version.h"
#include "core/lab/figures/figures.h"
#include "core/settings/toml.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

namespace emergence::claim_values_test {
namespace {

using namespace testing;

// Runs of seeds whose last logged loss is this; the first `emerged` have emerged.
FinishedRun judged_run(const std::string& label, const std::vector<double>& losses, int emerged) {
    FinishedRun run{label, {}, MetricHistory({{"loss", "loss", "A loss."}}, static_cast<int>(losses.size()))};
    run.snapshot.emergence_rule = "small";
    run.snapshot.step = 10;
    for (int k = 0; k < static_cast<int>(losses.size()); ++k) {
        SeedStatus seed;
        seed.seed = static_cast<uint64_t>(k);
        seed.emerged = k < emerged;
        run.snapshot.seeds.push_back(seed);
        run.history.append({k, 10, {losses[static_cast<size_t>(k)]}});
    }
    return run;
}

}  // namespace

TEST_CASE("a value is a number of the runs, with its detail") {
    const std::vector<FinishedRun> runs = {judged_run("small", {1, 2, 3}, 1), judged_run("large", {4, 6, 8}, 2)};
    const std::vector<RunView> views(runs.begin(), runs.end());
    const auto measured = [&](Claim claim) { return measured_value(claim, views); };
    const Measurement mean = measured({.value = "mean(metric loss)", .detail = "median {median(metric loss)}"});
    CHECK(mean.value == 2.0);
    CHECK(mean.n == 3);
    CHECK(mean.interval.has_value());
    CHECK(mean.detail == "median 2");
    const Measurement plain = measured({.value = "mean(metric loss)", .interval = false});
    CHECK(plain == Measurement{2.0});
    const Measurement share =
        measured({.value = "run large: share(emerged)", .detail = "{run 1: mean(metric loss):\u00b1}"});
    CHECK(share.detail == "2 of 3; 6 \u00b1 1.2");
    const Measurement each =
        measured({.value = "over runs greatest(mean(metric loss))",
                  .each_run = "{run} {mean(metric loss):.1f} of {least(metric loss of emerged):.0e}"});
    CHECK(each.value == 6.0);
    CHECK(each.detail == "small 2.0 of 1e+00, large 6.0 of 4e+00");
}

TEST_CASE("a value that the runs do not have is NaN, with the reason") {
    const std::vector<FinishedRun> runs = {judged_run("small", {1, 2}, 0)};
    const std::vector<RunView> views(runs.begin(), runs.end());
    const Measurement none = measured_value({.value = "mean(metric lss)"}, views);
    CHECK(std::isnan(none.value));
    CHECK(holds(none.detail, "loss"));
    CHECK(measured_value({.value = "seeds", .detail = "{mean(metric loss of emerged):.2f}"}, views).detail == "\u2013");
}

TEST_CASE("expressions that do not parse are told where they stand") {
    const auto value = [](const char* text) { return message_of<InputError>([&] { check_value(text); }); };
    CHECK(value("mean(metric loss)").empty());
    CHECK(holds(value("metric loss"), "one number per network"));
    CHECK(testing::holds(value("mean(metric loss"), "column"));
    const auto detail = [](const char* text) { return message_of<InputError>([&] { check_detail(text); }); };
    CHECK(detail("of {run}: {run 'L = 2': mean(metric loss):.3g} and {step}").empty());
    CHECK(holds(detail("{mean(metric loss)"), "has no }"));
    CHECK(holds(detail("{median(metric loss):\u00b1}"), "only a mean"));
    CHECK_FALSE(detail("{mean(metric loss):3}").empty());
}

}  // namespace emergence::claim_values_test

using namespace emergence;
using namespace emergence::testing;

namespace {

ClaimResults sample_results(const std::string& figure) {
    return {figure,
            "0.1.0",
            "seeds = 30, true_weights = \"normal\"",
            21.5,
            42.0,
            2,
            {{"a-1", {1.54, "1.54 \u00b1 0.16; it's 'quoted'"}}, {"b", {-1e-300, "", Range{-1.0, 2.5}, 30}}},
            "1f2d162ab3",
            "2026-11-23",
            {"L = 1: num_layers = 1", "L = 2: num_layers = 2, task = \"loop\""}};
}

}  // namespace

TEST_CASE("what was measured reads back the same") {
    const Scratch scratch;
    spit(scratch / "wang-4.toml", claim_results_to_toml(sample_results("wang-4")));
    CHECK(read_claim_results(scratch / "wang-4.toml") == sample_results("wang-4"));
    spit(scratch / "wang-2.toml", claim_results_to_toml(sample_results("wang-2")));
    spit(scratch / "notes.txt", "no results");
    ClaimResults old = sample_results("wang-2");
    old.commit.clear();  // as 0.1.0 wrote them
    old.date.clear();
    old.panels.clear();
    CHECK(parse_claim_results(claim_results_to_toml(old), "old.toml") == old);
    const auto all = read_all_claim_results(scratch.path());
    REQUIRE(all.size() == 2);
    CHECK(all[0].figure == "wang-2");
    CHECK(read_all_claim_results(scratch / "nowhere").empty());
}

TEST_CASE("a file that is not as it should be is refused with its name") {
    const Scratch scratch;
    const std::string whole = claim_results_to_toml(sample_results("wang-4"));
    for (const char* key : {"figure", "version", "config", "seconds", "cpu_seconds", "threads"}) {
        std::string text = whole;
        text[text.find(key)] = 'x';
        spit(scratch / "bad.toml", text);
        CAPTURE(key);
        CHECK_THROWS_WITH_AS(read_claim_results(scratch / "bad.toml"), doctest::Contains("bad.toml: "), InputError);
    }
    for (const char* interval : {"[1.0]", "[2.0, 1.0]", "3"}) {
        std::string text = whole;
        text.replace(text.find("[-1"), text.find("\nn =") - text.find("[-1"), interval);
        CAPTURE(interval);
        CHECK_THROWS_WITH_AS(parse_claim_results(text, "bad.toml"), doctest::Contains("interval"), InputError);
    }
    for (const char* panels : {"panels = 3", "panels = [3]"}) {
        std::string text = whole;
        const size_t begin = text.find("panels = "), end = text.find("]\n", begin);
        text.replace(begin, end + 1 - begin, panels);
        CAPTURE(panels);
        CHECK_THROWS_WITH_AS(parse_claim_results(text, "bad.toml"), doctest::Contains("panels"), InputError);
    }
    spit(scratch / "bad.toml", "figure = ");
    CHECK_THROWS_WITH_AS(read_claim_results(scratch / "bad.toml"), doctest::Contains("bad.toml:1:"), InputError);
}

TEST_CASE("results carry version, changed settings and time") {
    const Stopwatch watch;
    const ClaimResults results =
        claim_results("f", {{"", testing::toy_settings({"size=5"})}}, watch, 2, {{"f-1", {0.25, "as seen"}}});
    CHECK(results.version == version());
    CHECK(results.config == "size = 5, seed = 0");
    CHECK(results.seconds >= 0.0);
    CHECK(results.claims.at("f-1") == Measurement{0.25, "as seen"});
}

TEST_CASE("panels name the settings in which their runs differ from the figure's") {
    const Settings figure = testing::toy_settings({"size=5"});
    const std::vector<GridConfig> runs = {{"large", testing::toy_settings({"size=9"}), {"size"}},
                                          {"plain", figure},  // nothing to name
                                          {"", testing::toy_settings({"size=7", "probe=2"}), {"size", "probe"}}};
    CHECK(settings_of(runs) == figure);
    CHECK(panel_settings(runs) == std::vector<std::string>{"large: size = 9", "probe = 2, size = 7"});
    // What every run chooses itself is the first one's.
    CHECK(settings_of({runs[0], runs[2]}) == testing::toy_settings({"size=9"}));
    const std::string config = figure_config("toy", "f", runs);
    CHECK(holds(config, "runs = [\"large: size = 9\", \"probe = 2, size = 7\"]\n"));
    CHECK(parse_settings(config, "config.toml").figure == "f");
}

TEST_CASE("a caption names the seeds that were trained, whatever was asked") {
    const auto seed = [](uint64_t number) {
        SeedStatus status;
        status.seed = number;
        return status;
    };
    MadeFigure made;
    made.runs.resize(2);
    for (size_t i = 0; i < 2; ++i) {
        made.runs[i].label = i == 0 ? "a" : "b";
        made.runs[i].snapshot.settings = testing::toy_settings({"num_seeds=8"});
        made.runs[i].snapshot.seeds = {seed(5), seed(7)};
    }
    CHECK(made_text(made).ends_with(" Seeds 5, 7 in each of 2 runs."));
    made.runs[1].snapshot.seeds = {seed(6)};
    CHECK(made_text(made).ends_with(" 3 seeds in 2 runs."));
    made.runs.pop_back();
    CHECK(made_text(made).ends_with(" Seeds 5, 7."));
}
