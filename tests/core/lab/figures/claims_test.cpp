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

TEST_CASE("a source says whether a paper states it, and whether it follows by algebra or repeats another") {
    const Claim paper{.source = "Figure 2 (by algebra), Wang et al. 2025"};
    const Claim ours{.source = "ours: prediction, made on 2026-11-23 before the run"};
    CHECK(is_of_a_paper(paper));
    CHECK(adds_little(paper));
    CHECK_FALSE(is_of_a_paper(ours));
    CHECK_FALSE(adds_little(ours));
    CHECK(adds_little({.source = "ours: by algebra"}));
    CHECK(adds_little({.source = "Figure 13 (repeats theorem-1), Wang et al. 2025"}));
}

TEST_CASE("the papers' statements are counted apart from ours") {
    ClaimCounts counts;
    counts.add({.source = "ours: finding"}, Verdict::agrees);
    CHECK(counts_text(counts) == "1 claim: 1 agrees, 0 undecided, 0 differ as known, 0 fail");
    counts.add({.source = "Theorem 1, Ng 2001"}, Verdict::agrees);
    counts.add({.source = "Figure 2 (by algebra), Ng 2001"}, Verdict::undecided);
    counts += counts;
    CHECK(counts_text(counts) ==
          "6 claims: 4 agree, 2 undecided, 0 differ as known, 0 fail\n"
          "    4 of papers: 2 agree, 2 undecided, 0 differ as known, 0 fail; 2 by algebra, or repeating others\n"
          "    2 of ours: 2 agree, 0 undecided, 0 differ as known, 0 fail");
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
