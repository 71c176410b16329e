// Intervals of whatever is computed from shares of networks, also where none or all of them have it.
#include <doctest/doctest.h>

#include <cmath>

#include "core/base/statistics.h"
#include "core/lab/quantity/quantity.h"
#include "tests/support/quantity_run.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

// `emerged` of `all` networks with losses 1, 2, ...
FinishedRun shares(int emerged, int all, uint64_t first_seed = 0) {
    std::vector<uint64_t> numbers;
    std::vector<std::vector<double>> losses;
    for (int k = 0; k < all; ++k) {
        numbers.push_back(first_seed + static_cast<uint64_t>(k));
        losses.push_back({1.0 + k});
    }
    FinishedRun run = quantity_run(numbers, losses);
    for (int k = 0; k < emerged; ++k) run.snapshot.seeds[static_cast<size_t>(k)].emerged = true;
    return run;
}

Measurement of(const std::vector<FinishedRun>& runs, const std::string& text) {
    return measured({runs.begin(), runs.end()}, parse_quantity(text));
}

void check_interval(const Measurement& found, double low, double high) {
    REQUIRE(found.interval);
    CHECK(found.interval->low == doctest::Approx(low));
    CHECK(found.interval->high == doctest::Approx(high));
}

}  // namespace

TEST_CASE("an affine function of a share has the share's interval, turned and stretched, for every count") {
    for (const int all : {1, 2, 7, 20})
        for (int count = 0; count <= all; ++count) {
            const std::vector<FinishedRun> run = {shares(count, all)};
            const Fraction share = fraction(count, all);
            INFO(count, ", ", all);
            check_interval(of(run, "share(emerged)"), share.low, share.high);
            check_interval(of(run, "1 - share(emerged)"), 1 - share.high, 1 - share.low);
            check_interval(of(run, "share(emerged) * 100"), 100 * share.low, 100 * share.high);
            check_interval(of(run, "(3 - 2 * share(emerged)) / -4"), (2 * share.low - 3) / 4, (2 * share.high - 3) / 4);
            check_interval(of(run, "count(emerged)"), all * share.low, all * share.high);
            check_interval(of(run, "count(emerged) / seeds"), share.low, share.high);
            check_interval(of(run, "mean(emerged)"), share.low, share.high);
            check_interval(of(run, "mean(1 - emerged)"), 1 - share.high, 1 - share.low);
            check_interval(of(run, "share(emerged) / 2 + share(emerged) / 2"), share.low, share.high);
        }
}

TEST_CASE("any function of one share takes what it takes on over the share's interval") {
    const std::vector<FinishedRun> all = {shares(12, 12)}, none = {shares(0, 12)};
    const Fraction of_all = fraction(12, 12), of_none = fraction(0, 12);
    check_interval(of(all, "share(emerged) * share(emerged)"), of_all.low * of_all.low, 1.0);
    check_interval(of(all, "1 / share(emerged)"), 1.0, 1.0 / of_all.low);
    check_interval(of(none, "abs(share(emerged) - 0.1)"), 0.0, of_none.high - 0.1);
    CHECK_FALSE(of(none, "1 / share(emerged)").interval);  // it has no end
    check_interval(of(none, "least(share(emerged), 0.05)"), 0.0, 0.05);
}

TEST_CASE("sums and differences of shares have Newcombe's interval, paired if the networks are the same") {
    const std::vector<FinishedRun> apart = {shares(0, 20), shares(0, 15, 100)};
    const Fraction a = fraction(0, 20), b = fraction(0, 15);
    check_interval(of(apart, "run 1: share(emerged) - run 0: share(emerged)"), -a.high, b.high);
    check_interval(of(apart, "100 * (run 1: share(emerged) - run 0: share(emerged))"), -100 * a.high, 100 * b.high);
    check_interval(of(apart, "run 0: share(emerged) + run 1: share(emerged)"), 0.0, std::hypot(a.high, b.high));
    const std::vector<FinishedRun> paired = {shares(4, 10), shares(6, 10)};
    const Fraction few = fraction(4, 10), more = fraction(6, 10);
    const double r = share_correlation(few, more, 4);
    CHECK(r > 0.0);
    const double down = more.value - more.low, up = few.high - few.value;
    const Measurement difference = of(paired, "run 1: share(emerged) - run 0: share(emerged)");
    CHECK(difference.interval->low == doctest::Approx(0.2 - std::sqrt(down * down + up * up - 2 * r * down * up)));
    CHECK(difference.n == 10);
    // All of both: nothing differs, and nothing is sure.
    const std::vector<FinishedRun> both = {shares(8, 8), shares(8, 8)};
    const Fraction eight = fraction(8, 8);
    check_interval(of(both, "run 1: share(emerged) - run 0: share(emerged)"), eight.low - 1, 1 - eight.low);
    check_interval(of(both, "abs(run 1: share(emerged) - run 0: share(emerged))"), 0.0, 1 - eight.low);
}

TEST_CASE("a share of none or of all leaves a number that is made of more without an interval") {
    const std::vector<FinishedRun> none = {shares(0, 9)};
    CHECK_FALSE(of(none, "share(emerged) * mean(metric loss)").interval);
    CHECK_FALSE(of(none, "mean(metric loss) + share(emerged)").interval);
    for (const char* text :
         {"median(emerged)", "greatest(emerged)", "least(1 - emerged)", "quantile(emerged, 0.9)", "deviation(emerged)",
          "standard_error(failed)", "1 - greatest(emerged)", "mean(metric loss) + median(emerged)"})
        CHECK_MESSAGE(!of(none, text).interval, text);
    const std::vector<FinishedRun> some = {shares(4, 9)};
    CHECK(of(some, "share(emerged) * mean(metric loss)").interval);
    CHECK(of(some, "median(emerged)").interval);
    CHECK(of(none, "median(metric loss)").interval);
}

TEST_CASE("one network has no deviation, no standard error and no t") {
    const std::vector<FinishedRun> one = {shares(1, 1)};
    for (const char* text :
         {"deviation(metric loss)", "standard_error(metric loss)", "t(metric loss)", "deviation(metric loss) + 1"}) {
        CHECK(std::isnan(of(one, text).value));
        CHECK_FALSE(of(one, text).interval);
    }
    CHECK(of(one, "mean(metric loss)").value == 1);
}

TEST_CASE("a network counts once, also where its run stands twice or two runs share it") {
    const std::vector<FinishedRun> twice = {shares(1, 3), shares(1, 3)};
    const Measurement mean = of(twice, "runs 0, 1: mean(metric loss)");
    CHECK(mean.n == 3);
    CHECK(*mean.interval == *of({shares(1, 3)}, "mean(metric loss)").interval);
    CHECK(of(twice, "runs 0, 1: share(emerged)").detail == "1 of 3");
    // Seeds 0 to 2 and 2 to 4: five networks.
    std::vector<FinishedRun> overlapping = {shares(0, 3), shares(0, 3, 2)};
    CHECK(of(overlapping, "runs 0, 1: count(metric loss > 0)").value == 5);
    // At another step they are other networks.
    overlapping[1].snapshot.step = 999;
    CHECK(of(overlapping, "runs 0, 1: count(metric loss > 0)").value == 6);
}

TEST_CASE("over runs: the number of captions is that of the measurement, and without runs there is none") {
    const std::vector<FinishedRun> runs = {shares(1, 4), shares(3, 4, 50)};
    for (const char* text :
         {"over runs greatest(share(emerged))", "over runs least(mean(metric loss))", "over runs least(count(emerged))",
          "over runs least(over x least(mean(metric loss at x)))"}) {
        const Quantity quantity = parse_quantity(text);
        CHECK(number_of(quantity, {runs.begin(), runs.end()}) == of(runs, text).value);
        CHECK(number_of(quantity, {runs.begin(), runs.end()}) > 0);
    }
    // Of a figure that has no runs, but pictures.
    const MetricHistory none;
    std::vector<RunView> views = {RunView(runs[0].snapshot, none, "figure")};
    views[0].drawn = true;
    for (const char* text : {"over runs least(greatest(curve 'by length' network at 10))",
                             "over runs greatest(scalar probe)", "over runs least(scalar probe)"}) {
        CHECK(std::isnan(measured(views, parse_quantity(text)).value));
        CHECK(measured(views, parse_quantity(text)).n == 0);
    }
}
