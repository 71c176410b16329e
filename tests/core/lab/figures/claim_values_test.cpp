// Claims that are expressions over runs, and the numbers in their details.
#include "core/lab/figures/claim_values.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

namespace emergence::claim_values_test {
namespace {

using testing::message_of;

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
    CHECK(none.detail.find("loss") != std::string::npos);
    CHECK(measured_value({.value = "seeds", .detail = "{mean(metric loss of emerged):.2f}"}, views).detail == "\u2013");
}

TEST_CASE("expressions that do not parse are told where they stand") {
    const auto value = [](const char* text) { return message_of<InputError>([&] { check_value(text); }); };
    CHECK(value("mean(metric loss)").empty());
    CHECK(value("metric loss").find("one number for each seed") != std::string::npos);
    CHECK(value("mean(metric loss").find("column") != std::string::npos);
    const auto detail = [](const char* text) { return message_of<InputError>([&] { check_detail(text); }); };
    CHECK(detail("of {run}: {run 'L = 2': mean(metric loss):.3g} and {step}").empty());
    CHECK(detail("{mean(metric loss)").find("has no }") != std::string::npos);
    CHECK(detail("{median(metric loss):\u00b1}").find("only a mean") != std::string::npos);
    CHECK_FALSE(detail("{mean(metric loss):3}").empty());
}

}  // namespace emergence::claim_values_test
