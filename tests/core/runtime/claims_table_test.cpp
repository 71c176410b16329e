#include "core/runtime/claims_table.h"

#include <doctest/doctest.h>

#include "core/base/version.h"
#include "core/experiments/registry.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

using namespace emergence;

namespace {

ExperimentInfo toy_with_claims() {
    ExperimentInfo info = testing::toy_info();
    info.claims = {
        {.name = "own", .statement = "Measured by verify", .agrees = at_most(1)},
        {.name = "f-1", .statement = "It falls", .quantity = "ratio", .agrees = at_most(1), .figure = "f"},
        {.name = "f-2",
         .statement = "It always does",
         .quantity = "fraction",
         .agrees = at_least(1),
         .known_difference = "Not here.",
         .known = {0.5, 0.9},
         .figure = "f"},
        {.name = "g-1", .statement = "Nobody ran it", .agrees = at_least(1), .figure = "g"}};
    return info;
}

}  // namespace

TEST_CASE("the table has what figures measured, and notes on known differences") {
    const ClaimResults results{"f", "0.1.0", "", 3.0, 5.25, 2, {{"f-1", {0.5, "few"}}, {"f-2", {0.7, ""}}}};
    const std::string table = claims_table({toy_with_claims()}, {results});
    CHECK(table.find("| f | It falls | ratio: 0.5; few | at most 1 | yes | 5.2 s |\n"
                     "|  | It always does | fraction: 0.7 | at least 1 | no (1) |  |\n") !=
          std::string::npos);
    CHECK(table.find("\n(1) Not here.\n") != std::string::npos);
    CHECK(table.find("verify") == std::string::npos);
    CHECK(table.find("Nobody") == std::string::npos);
}

TEST_CASE("results carry version, changed settings and time") {
    const Stopwatch watch;
    const ClaimResults results =
        claim_results("f", testing::toy_settings({"size=5"}), watch, 2, {{"f-1", {0.25, "as seen"}}});
    CHECK(results.version == version());
    CHECK(results.config == "size = 5, seed = 0");
    CHECK(results.seconds >= 0.0);
    CHECK(results.claims.at("f-1") == ClaimResults::Entry{0.25, "as seen"});
}

// `emergence-cli verify --table` prints what belongs between the marks.
TEST_CASE("README's table is what the claims and the last runs say") {
    const std::filesystem::path root = testing::source_dir();
    const std::string readme = testing::slurp(root / "README.md");
    const std::string begin = "<!-- claims: emergence-cli verify --table -->\n",
                      end = "<!-- end of claims -->";
    const size_t from = readme.find(begin), to = readme.find(end);
    REQUIRE(from != std::string::npos);
    REQUIRE(to != std::string::npos);
    const auto results = read_all_claim_results(root / "assets/results");
    CHECK(readme.substr(from + begin.size(), to - from - begin.size()) ==
          claims_table(experiments(), results));
    for (const ClaimResults& of_figure : results)
        CHECK(claims_table(experiments(), {of_figure}).find("FAILS") == std::string::npos);
}
