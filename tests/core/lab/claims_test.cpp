#include "core/lab/claims.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace emergence;

TEST_CASE("a verdict is read off the ranges, and a number that is none fails") {
    Claim claim{.name = "c", .agrees = at_most(1.0)};
    CHECK(verdict_of(claim, 1.0) == Verdict::agrees);
    CHECK(verdict_of(claim, 1.1) == Verdict::fails);
    CHECK(verdict_of(claim, std::nan("")) == Verdict::fails);
    claim.known = {1.05, 1.2};
    CHECK(verdict_of(claim, 1.1) == Verdict::fails);  // a difference that nobody explains
    claim.known_difference = "ours is longer";
    CHECK(verdict_of(claim, 1.1) == Verdict::known_difference);
    CHECK(verdict_of(claim, 1.3) == Verdict::fails);  // another one than the known
}

TEST_CASE("ranges read as sentences") {
    CHECK(range_text(at_most(1e-10)) == "at most 1e-10");
    CHECK(range_text(at_least(0.9)) == "at least 0.9");
    CHECK(range_text({1.0, 2.5}) == "from 1 to 2.5");
}
