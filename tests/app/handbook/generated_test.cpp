#include "tests/support/generated.h"

#include <doctest/doctest.h>

#include "app/cli/command.h"
#include "app/handbook/document.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/lab/figures/claims.h"
#include "tests/app/handbook/coverage_table.h"
#include "tests/app/handbook/filled_pages.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

namespace emergence::handbook {
namespace {

using testing::message_of;

std::vector<Claim> toy_claims() {
    return {{.name = "own", .statement = "Measured by verify", .source = "Theorem 1", .agrees = at_most(1)},
            {.name = "f-1",
             .statement = "It falls",
             .source = "Figure 1",
             .quantity = "|ratio|",
             .agrees = at_most(1),
             .figure = "f"},
            {.name = "f-2",
             .statement = "It always does",
             .source = "Figure 1",
             .quantity = "fraction",
             .agrees = at_least(1),
             .known_difference = "Not here.",
             .known = {0.5, 0.9},
             .figure = "f"},
            {.name = "f-3",
             .statement = "It stops",
             .source = "ours: finding",
             .quantity = "steps",
             .agrees = between(1, 4),
             .reason = "Guessed.",
             .figure = "f"}};
}

Tables two_tables() {
    return {{"presets", [](const std::string& of, const std::string& presets) { return of + presets + "\n"; }},
            {"limits", [](const std::string&, const std::string&) -> std::string { throw InputError("no"); }}};
}

Tables real_tables() {
    Tables tables = laboratory_tables(experiments(), testing::source_dir() / "assets");
    tables["commands"] = [](const std::string&, const std::string&) { return commands_table(cli::command_words()); };
    tables["coverage"] = testing::coverage_maker();
    return tables;
}

}  // namespace

TEST_CASE("what stands between the marks is made anew, the rest stays") {
    const std::string page = "# T\n<!-- generated: presets wang -->\nold\n<!-- end -->\ntext\n";
    CHECK(with_tables("t.md", page, two_tables(), "p/") ==
          "# T\n<!-- generated: presets wang -->\nwangp/\n<!-- end -->\ntext\n");
    CHECK(without_tables(page) == "# T\n<!-- generated: presets wang -->\n\n<!-- end -->\ntext\n");
    CHECK(with_tables("t.md", "no marks", two_tables()) == "no marks");
    // Another program's table.
    const std::string keys = "<!-- generated: keys -->\nold\n<!-- end -->\n";
    CHECK(with_tables("t.md", keys, two_tables()) == keys);
}

TEST_CASE("a number that names its claim is the result's, with as many digits as before") {
    const std::vector<ClaimResults> results = {{"f",
                                                "",
                                                "",
                                                0,
                                                0,
                                                1,
                                                {{"share", {0.875, "7 of 8, not 0.25", Range{0.5, 0.978}, 8}},
                                                 {"many", {0.8651, "", {}, 1000}},
                                                 {"low", {-2.349, ""}}}}};
    const auto filled = [&](const std::string& text) { return with_numbers("t.md", text, results); };
    CHECK(filled("In 1 of 9<!--share--> and 8 %<!--share-->") == "In 7 of 8<!--share--> and 88 %<!--share-->");
    CHECK(filled("1 of 9<!--many-->, 0.1<!--low-->.") == "865 of 1,000<!--many-->, -2.3<!--low-->.");
    CHECK(filled("3.00<!--share:low--> to 3.00<!--share:high-->, 1.11<!--share:3-->, 5<!--paper-->") ==
          "0.50<!--share:low--> to 0.98<!--share:high-->, 0.25<!--share:3-->, 5<!--paper-->");
    CHECK(message_of<InputError>([&] { filled("2<!--none-->"); }) ==
          "t.md: 2<!--none-->: no result has the claim 'none'");
    CHECK_THROWS_AS(filled("2<!--share:9-->"), InputError);
    CHECK(text_of(parse_spans("7 of 8<!--share--> networks")) == "7 of 8 networks");
}

TEST_CASE("wrong marks are refused with their line") {
    const auto refused = [](const std::string& text) {
        return message_of<InputError>([&] { with_tables("t.md", text, two_tables()); });
    };
    CHECK(refused("a\n<!-- generated: keyboard -->\n<!-- end -->\n").starts_with("t.md:2: unknown table 'keyboard'. "));
    CHECK(refused("<!-- generated: keys -->\nno end\n").starts_with("t.md:1: "));
    CHECK(refused("<!-- generated: keys -->\n<!-- generated: keys -->\n<!-- end -->\n").starts_with("t.md:1: "));
    CHECK(refused("<!-- generated: limits -->\n<!-- end -->\n") == "t.md:1: no");
    const Tables real = laboratory_tables(experiments(), testing::source_dir() / "assets");
    CHECK_THROWS_AS(real.at("figures")("wang", {}), InputError);
    CHECK_THROWS_AS(real.at("settings")("tdd", {}), InputError);
}

TEST_CASE("claims: what figures measured, what verify measures, notes on known differences") {
    const testing::Scratch folder;
    const ClaimResults results{"f",
                               "0.1.0",
                               "",
                               3.0,
                               5.25,
                               2,
                               {{"f-1", {0.5, "few", Range{0.4, 0.6}, 8}}, {"f-2", {0.7, ""}}, {"f-3", {3.0, ""}}}};
    testing::spit(folder / "f.toml", claim_results_to_toml(results));
    const std::string table = claims_table(toy_claims(), folder.path());
    CHECK(testing::holds(
        table,
        "**What the papers state**\n\n"
        "| figure | claim | source | measured | agrees if | agrees |\n"
        "|---|---|---|---|---|---|\n"
        "| `verify` | `own`: Measured by verify | Theorem 1 | | at most 1 | `verify own` |\n"
        "| `f`, 5.2 s | `f-1`: It falls | Figure 1 | \\|ratio\\|: 0.5 (0.4 to 0.6, n = 8); few | at most 1 | yes |\n"
        "| | `f-2`: It always does | Figure 1 | fraction: 0.7 | at least 1 | no (1) |\n"));
    CHECK(testing::holds(table,
                         "**What we add**\n\n"
                         "| figure | claim | source | measured | agrees if | agrees |\n"
                         "|---|---|---|---|---|---|\n"
                         "| `f`, 5.2 s | `f-3`: It stops | ours: finding | steps: 3 | from 1 to 4 (1) | yes |\n"));
    CHECK(testing::holds(table, "\n(1) Guessed.\n"));
    CHECK(testing::holds(table, "\n(1) Not here.\n"));
}

TEST_CASE("verdicts are counted by paper, results say who made them") {
    const testing::Scratch folder;
    std::vector<Claim> claims = toy_claims();
    for (Claim& claim : claims) claim.experiment = papers().front().experiments.front();
    ClaimResults results{"f", "0.2.0", "seed = 1", 3.0, 90.0, 2, {{"f-1", {0.5}}, {"f-2", {0.7}}, {"f-3", {3.0}}}};
    results.commit = "1f2d162ab3";
    results.date = "2026-01-02";
    testing::spit(folder / "f.toml", claim_results_to_toml(results));
    const std::string table = verdicts_table(claims, folder.path());
    CHECK(testing::holds(table,
                         "| `" + papers().front().name + "` | 1 | 1.5 | 2 | 1 | 0 | 1 | 0 | 1 | 1 | 0 | 0 | 0 | 0 |"));
    CHECK(testing::holds(table, "| all | 1 | 1.5 | 2 | 1 | 0 | 1 | 0 | 1 | 1 | 0 | 0 | 0 | 0 |"));
    CHECK(power_table(claims, folder.path()).ends_with("| `f-2` | differs, as known | 0.7 | at least 1 | \u2013 |\n"));
    ClaimResults verified{"verify", "0.2.0", "", 1.0, 2.0, 1, {{"own", {0.5}}}};
    testing::spit(folder / "verify.toml", claim_results_to_toml(verified));
    CHECK(testing::holds(verdicts_table(claims, folder.path()), "| all | 1 | 1.5 | 3 | 2 | 0 | 1 | 0 | 1 | 1 |"));
    CHECK(testing::holds(claims_table(claims, folder.path()),
                         "| `verify` | `own`: Measured by verify | Theorem 1 | : 0.5 | at most 1 | yes |"));
    CHECK(
        testing::holds(results_table(folder.path()), "| `f` | 0.2.0, `1f2d162ab3` | 2026-01-02 | 90.0 | seed = 1 |\n"));
}

TEST_CASE("every experiment, figure and preset is in a paper's tables, every setting in its experiment's") {
    const Tables tables = real_tables();
    std::string all;
    for (const Paper& paper : papers())
        for (const char* kind : {"experiments", "figures", "presets", "claims"}) all += tables.at(kind)(paper.name, "../presets/");
    for (const ExperimentInfo& info : experiments()) {
        if (info.name == "matrices") continue;  // belongs to no paper
        CHECK(testing::holds(all, "| `" + info.name + "` |"));
        for (const FigureInfo& figure : info.figures) CHECK(testing::holds(all, "| [`" + figure.name + "`]("));
    }
    for (const auto& entry : std::filesystem::directory_iterator(testing::source_dir() / "assets/presets"))
        if (read_settings(entry.path()).experiment != "matrices")
            CHECK(testing::holds(all, "(../presets/" + entry.path().filename().string() + ")"));
    CHECK_FALSE(testing::holds(all, "FAILS"));
    const std::string settings = tables.at("settings")("td", {});
    for (const FieldInfo& field : *find_experiment("td").fields)
        CHECK(testing::holds(settings, "| `" + field.name + "` |"));
}

TEST_CASE("the README and the chapters hold the tables that the program makes") {
    testing::check_filled(real_tables());
}

}  // namespace emergence::handbook
