// The claims that ship: complete, and true where verify measures them.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>

#include "core/base/text.h"
#include "core/base/version.h"
#include "core/files/atomic_write.h"
#include "core/lab/figures/claims.h"
#include "core/lab/figures/figures.h"
#include "tests/claims/measures.h"
#include "tests/support/judged.h"
#include "tests/support/places.h"

using namespace emergence;

TEST_SUITE_BEGIN("release");

TEST_CASE("no file of claims is wrong, and every measurement has a claim that judges it") {
    const ReadClaims read = read_all_claims(testing::source_dir() / "assets/figures", measured_experiments());
    for (const std::string& fault : read.faults) FAIL_CHECK(fault);
    std::set<std::pair<std::string, std::string>> asked;  // figure or experiment, function
    for (const Claim& claim : read.claims)
        asked.emplace(claim.figure.empty() ? claim.experiment : "figure " + claim.figure, claim.function);
    for (const ExperimentInfo& info : measured_experiments()) {
        for (const NamedMeasure& one : info.measures)
            CHECK_MESSAGE(asked.contains({info.name, one.name}), one.name << " of " << info.name);
        for (const FigureInfo& figure : info.figures)
            for (const std::string& name : figure.measures)
                CHECK_MESSAGE(asked.contains({"figure " + figure.name, name}), name << " of " << figure.name);
    }
    size_t stated = 0;
    for (const auto& entry : std::filesystem::directory_iterator(testing::source_dir() / "assets/figures")) {
        std::ifstream in(entry.path());
        for (std::string line; std::getline(in, line);) stated += line.starts_with("[claims.") ? 1 : 0;
    }
    CHECK(stated > 0);
    CHECK(read.claims.size() == stated);
}

TEST_CASE("every source names a paper, or says what kind of statement of ours it is") {
    for (const Claim& claim : testing::shipped_claims()) {
        CAPTURE(claim.name);
        CAPTURE(claim.source);
        const auto has = [&](const char* part) { return claim.source.find(part) != std::string::npos; };
        const bool named = has("Wang et al. 2025") || has("softmax paper") || has("Chen et al. 2025") ||
                           has("Ahn et al. 2023") || has("Liang and Lai");
        if (!has("says otherwise")) CHECK(named == is_of_a_paper(claim));
        const bool ours = claim.source == "ours: control" || claim.source == "ours: identity" ||
                          claim.source.starts_with("ours: finding") ||
                          claim.source.starts_with("ours: prediction, made on ") ||
                          claim.source.starts_with("ours: reference, ");
        CHECK(ours != is_of_a_paper(claim));
        CHECK(claim.statement.find("(ours)") == std::string::npos);
    }
}

// With EMERGENCE_HANDBOOK_WRITE what is measured is kept in assets/results/verify.toml, whose verdicts the handbook
// shows.
TEST_CASE("every claim that verify measures holds, and has the verdict that is kept") {
    const auto kept = testing::source_dir() / "assets/results/verify.toml";
    const std::vector<ClaimResults> results = read_all_claim_results(kept.parent_path());
    const bool writes = std::getenv("EMERGENCE_HANDBOOK_WRITE") != nullptr;
    Stopwatch watch;
    ClaimResults now{kVerified, version(), "", 0, 0, 1, {}, commit(), local_time("%Y-%m-%d")};
    for (const Claim& claim : testing::shipped_claims()) {
        if (!claim.measure) continue;
        CAPTURE(claim.name);
        const Measurement measured = claim.measure();
        CAPTURE(measured.value);
        CHECK(verdict_of(claim, measured) != Verdict::fails);
        const Measurement* then = measured_of(claim, results);
        if (!writes) {
            REQUIRE(then != nullptr);
            CHECK(verdict_of(claim, *then) == verdict_of(claim, measured));
        }
        now.claims[claim.name] = measured;
    }
    now.seconds = std::round(watch.seconds());
    now.cpu_seconds = std::round(watch.cpu_seconds());
    if (writes) write_file(kept, std::string_view(claim_results_to_toml(now)));
}

TEST_SUITE_END();
