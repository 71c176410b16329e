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

TEST_CASE("every source names a paper, or says what kind of statement of ours it is") {
    for (const ExperimentInfo& info : experiments())
        for (const Claim& claim : info.claims) {
            CAPTURE(claim.name);
            CAPTURE(claim.source);
            const auto has = [&](const char* part) { return claim.source.find(part) != std::string::npos; };
            const bool named = has("Wang et al. 2025") || has("softmax paper") || has("Chen et al. 2025") ||
                               has("Ahn et al. 2023") || has("Liang and Lai");
            if (!has("says otherwise")) CHECK(named == is_of_a_paper(claim));
            const bool ours = claim.source == kControl || claim.source == kOursByAlgebra ||
                              claim.source.starts_with(kOurs) ||
                              claim.source.starts_with("ours: prediction, made on ") ||
                              claim.source.starts_with("ours: reference, ");
            CHECK(ours != is_of_a_paper(claim));
            CHECK(claim.statement.find("(ours)") == std::string::npos);
        }
}

TEST_CASE("every claim that verify measures holds") {
    for (const ExperimentInfo& info : experiments())
        for (const Claim& claim : info.claims) {
            if (!claim.measure) continue;
            CAPTURE(claim.name);
            const Measurement measured = claim.measure();
            CAPTURE(measured.value);
            CHECK(verdict_of(claim, measured) != Verdict::fails);
        }
}
