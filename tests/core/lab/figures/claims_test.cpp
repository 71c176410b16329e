#include "core/lab/figures/claims.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace emergence;

TEST_SUITE_BEGIN("release");

TEST_CASE("a verdict is read off the ranges, and a number that is none fails") {
    Claim claim{.name = "c", .agrees = at_most(1.0)};
    CHECK(verdict_of(claim, {1.0}) == Verdict::agrees);
    CHECK(verdict_of(claim, {1.1}) == Verdict::fails);
    CHECK(verdict_of(claim, {std::nan("")}) == Verdict::fails);
    claim.known = {1.05, 1.2};
    CHECK(verdict_of(claim, {1.1}) == Verdict::fails);  // a difference that nobody explains
    claim.known_difference = "ours is longer";
    CHECK(verdict_of(claim, {1.1}) == Verdict::known_difference);
    CHECK(verdict_of(claim, {1.3}) == Verdict::fails);  // another one than the known
}

TEST_CASE("an interval takes part in the verdict") {
    Claim claim{.name = "c", .agrees = at_least(0.9), .known_difference = "ours is lower", .known = {0.4, 0.9}};
    const auto verdict = [&](double value, double low, double high) {
        return verdict_of(claim, {value, "", Range{low, high}, 30});
    };
    CHECK(verdict(0.95, 0.92, 0.98) == Verdict::agrees);
    CHECK(verdict(0.95, 0.85, 1.0) == Verdict::undecided);
    CHECK(verdict(0.85, 0.75, 0.95) == Verdict::undecided);
    CHECK(verdict(0.6, 0.5, 0.7) == Verdict::known_difference);
    CHECK(verdict(0.2, 0.1, 0.3) == Verdict::fails);
    claim.agrees = at_least(1.0);  // every seed: one that does not contradicts it
    CHECK(verdict(1.0, 0.88, 1.0) == Verdict::agrees);
    CHECK(verdict(0.8, 0.6, 0.9) == Verdict::known_difference);
}

TEST_CASE("a mean's interval is Student's") {
    const Range five = interval_of_mean(2.0, 0.5, 5), many = interval_of_mean(0.0, 1.0, 100000);
    CHECK(five.high == doctest::Approx(2.0 + 2.776 * 0.5).epsilon(0.002));
    CHECK(five.low + five.high == doctest::Approx(4.0));
    CHECK(many.high == doctest::Approx(1.96).epsilon(0.001));
    CHECK(std::isinf(interval_of_mean(1.0, 0.0, 1).high));
}

TEST_CASE("a source says whether a paper states it; algebra and repeats do not count as measured") {
    const Claim paper{.source = "Figure 2, Wang et al. 2025", .algebra = true};
    const Claim ours{.source = "ours: prediction, made on 2026-11-23 before the run"};
    CHECK(is_of_a_paper(paper));
    CHECK_FALSE(is_measured(paper));
    CHECK(source_text(paper) == "Figure 2, Wang et al. 2025; algebra, checked numerically");
    CHECK_FALSE(is_of_a_paper(ours));
    CHECK(is_measured(ours));
    CHECK(source_text(ours) == ours.source);
    CHECK_FALSE(is_measured({.source = "Figure 13 (repeats theorem-1), Wang et al. 2025"}));
}

TEST_CASE("the smallest difference that would have been seen is 1.43 half-widths of the interval") {
    const Claim claim{.agrees = at_least(0.5)};
    const Measurement undecided{0.5, "", Range{0.4, 0.6}, 30};
    CHECK(*smallest_difference(undecided) == doctest::Approx(0.142857));
    CHECK(power_text(claim, undecided) == "smallest difference seen: 0.14");
    CHECK(power_text(claim, {0.7, "", Range{0.6, 0.8}, 30}).empty());  // agrees
    CHECK_FALSE(smallest_difference({0.2}));
    CHECK_FALSE(smallest_difference({0.0, "", Range{0.0, 0.0}, 4}));
}

TEST_CASE("the papers' statements are counted apart from ours") {
    ClaimCounts counts;
    counts.add({.source = "ours: finding"}, Verdict::agrees);
    CHECK(counts_text(counts) == "1 claim: 1 agrees, 0 undecided, 0 differ as known, 0 fail");
    counts.add({.source = "Theorem 1, Ng 2001"}, Verdict::agrees);
    counts.add({.source = "Theorem 2, Ng 2001", .algebra = true}, Verdict::undecided);
    counts += counts;
    CHECK(counts_text(counts) ==
          "4 claims: 4 agree, 0 undecided, 0 differ as known, 0 fail\n"
          "    2 of papers: 2 agree, 0 undecided, 0 differ as known, 0 fail\n"
          "    2 of ours: 2 agree, 0 undecided, 0 differ as known, 0 fail\n"
          "    2 more, algebra or repeating others: 0 agree, 2 undecided, 0 differ as known, 0 fail");
    CHECK(counts.all().all() == 6);
}

TEST_CASE("measured numbers read with interval and n") {
    CHECK(measured_text({0.666}) == "0.666");
    CHECK(measured_text({0.666, "", Range{0.5, 0.75}, 30}) == "0.666 (0.5 to 0.75, n = 30)");
    CHECK(measured_text({0.666, "", std::nullopt, 3}) == "0.666 (n = 3)");
    CHECK(measured_text({1.0, "", Range{}, 1}) == "1 (n = 1)");
}

TEST_CASE("ranges read as sentences") {
    CHECK(range_text(at_most(1e-10)) == "at most 1e-10");
    CHECK(range_text(at_least(0.9)) == "at least 0.9");
    CHECK(range_text({1.0, 2.5}) == "from 1 to 2.5");
}

TEST_SUITE_END();
