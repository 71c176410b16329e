// No claim without a figure that measures it, and no stored measurement without a claim that judges it.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>

#include "core/experiments/figure_file.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/lab/figures/claims.h"
#include "core/lab/figures/figures.h"
#include "core/settings/toml.h"
#include "tests/support/judged.h"
#include "tests/support/places.h"

using namespace emergence;

namespace {

// The names of the claims by what measures them.
std::map<std::string, std::set<std::string>> claims_by_figure() {
    std::map<std::string, std::set<std::string>> names;
    for (const Claim& claim : testing::shipped_claims())
        names[claim.figure.empty() ? kVerified : claim.figure].insert(claim.name);
    return names;
}

}  // namespace

TEST_CASE("a figure's stored results and its claims are the same") {
    const auto claims = claims_by_figure();
    const auto stored = read_all_claim_results(testing::source_dir() / "assets/results");
    CHECK(stored.size() > 20);
    for (const ClaimResults& results : stored) {
        CAPTURE(results.figure);
        std::set<std::string> measured;
        for (const auto& [name, entry] : results.claims) measured.insert(name);
        if (results.figure != kVerified) CHECK(claims.at(results.figure) == measured);
        // What verify measures is written at times: the newest claims may not be in it yet.
        else
            CHECK(std::includes(claims.at(kVerified).begin(), claims.at(kVerified).end(), measured.begin(),
                                measured.end()));
    }
}

TEST_CASE("a figure without stored results has only predictions, which stand before their run") {
    std::set<std::string> measured;
    for (const ClaimResults& results : read_all_claim_results(testing::source_dir() / "assets/results"))
        measured.insert(results.figure);
    for (const Claim& claim : testing::shipped_claims())
        if (!claim.figure.empty() && !measured.contains(claim.figure))
            CHECK_MESSAGE(claim.source.starts_with("ours: prediction"),
                          claim.figure << " has no results: " << claim.name);
}

TEST_CASE("a figure's stored results are of the settings that its preset has") {
    const auto assets = testing::source_dir() / "assets";
    std::map<std::string, std::string> settings;
    for (const ExperimentInfo& info : experiments())
        for (const FigureInfo& figure : info.figures)
            settings[figure.name] = named_settings(figure_settings(info, figure, assets));
    for (const ClaimResults& results : read_all_claim_results(assets / "results")) {
        CAPTURE(results.figure);
        if (results.figure != kVerified) CHECK(results.config == settings.at(results.figure));
    }
}
