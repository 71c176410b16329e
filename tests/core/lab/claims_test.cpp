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

TEST_CASE("a table's rows get their figure and citation, and tables are joined in order") {
    const std::vector<Claim> claims =
        joined({claims_about(
                    "wang-2", "Wang et al. 2025",
                    {{"a", "A is one", "Figure 2b", "A", between(0.9, 1.1), "Rounding."},
                     {"b", "B is large", "Section 5", "B", at_least(2.0), "", "Ours is less", at_most(2.0)}}),
                {{.name = "c", .source = kOurs}},
                claims_about("pool", {{"d", "D", kOurs}})});
    REQUIRE(claims.size() == 4);
    CHECK(claims[0].source == "Figure 2b, Wang et al. 2025");
    CHECK(claims[0].figure == "wang-2");
    CHECK(claims[0].reason == "Rounding.");
    CHECK(verdict_of(claims[0], 1.2) == Verdict::fails);
    CHECK(verdict_of(claims[1], 1.5) == Verdict::known_difference);
    CHECK(claims[2].figure.empty());
    CHECK(claims[3].source == "this laboratory");
    CHECK(claims[3].figure == "pool");
}

TEST_CASE("ranges read as sentences") {
    CHECK(range_text(at_most(1e-10)) == "at most 1e-10");
    CHECK(range_text(at_least(0.9)) == "at least 0.9");
    CHECK(range_text({1.0, 2.5}) == "from 1 to 2.5");
}
