// Every experiment's table of claims: complete, and true where verify measures it.
#include <doctest/doctest.h>

#include <set>

#include "core/experiments/registry.h"

using namespace emergence;

TEST_CASE("every claim says what, who and how, under a name of its own") {
    std::set<std::string> names;
    for (const ExperimentInfo& info : experiments())
        for (const Claim& claim : info.claims) {
            CAPTURE(claim.name);
            CHECK(names.insert(claim.name).second);
            CHECK_FALSE(claim.statement.empty());
            CHECK_FALSE(claim.source.empty());
            CHECK_FALSE(claim.quantity.empty());
            CHECK(claim.agrees.low <= claim.agrees.high);
            CHECK(claim.known_difference.empty() == (claim.known.low > claim.known.high));
            CHECK((claim.measure == nullptr) == !claim.figure.empty());
        }
}

TEST_CASE("every claim that verify measures holds") {
    for (const ExperimentInfo& info : experiments())
        for (const Claim& claim : info.claims) {
            if (!claim.measure) continue;
            CAPTURE(claim.name);
            const Measurement measured = claim.measure();
            CAPTURE(measured.value);
            CHECK(verdict_of(claim, measured.value) != Verdict::fails);
        }
}
