// Claims as data: what a file says, and every way in which one is wrong, with its line.
#include "core/lab/figures/claims.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "core/base/error.h"
#include "core/lab/figures/figures.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

namespace emergence::claim_files_test {
namespace {

using namespace testing;

// Experiment "toy" with a measurement, and a figure that makes two.
std::vector<ExperimentInfo> known() {
    ExperimentInfo info = testing::toy_info();
    info.figures = {{"toy-1", "The loss", "toy", {}, {}, {}, {"loss", "rate"}}};
    info.measures = {{"two", [] { return Measurement{2.0}; }}};
    return {info};
}

const std::string kSays = "statement = \"It falls\"\nsource = \"Figure 1\"\nquantity = \"loss\"\n";

std::string claim_file_faults(const std::string& text) {
    std::vector<FileFault> faults;
    parse_claims(text, "my.toml", known(), faults);
    std::string all;
    for (const FileFault& fault : faults) all += fault_text("my.toml", fault) + "\n";
    return all;
}
// Of a claim with these lines after its statement, the first of which is line 6 of the file.
std::string claim_faults(const std::string& lines) {
    return claim_file_faults("experiment = \"toy\"\n[claims.c]\n" + kSays + lines);
}

}  // namespace

TEST_CASE("a file's claims stand in its order, and are measured by name") {
    std::vector<FileFault> faults;
    const std::vector<Claim> claims =
        parse_claims("experiment = \"toy\"\n[claims.z]\n" + kSays + "at_most = 3\nfunction = \"two\"\n" +
                         "[claims.\"a-3.2\"]\n" + kSays +
                         "at_least = 1\nat_most = 2.5\nreason = \"Guessed\"\nfunction = \"two\"\n"
                         "known_difference = \"Ours is less\"\nknown = [0.5, 1]\n",
                     "my.toml", known(), faults);
    CHECK(faults.empty());
    REQUIRE(claims.size() == 2);
    CHECK(claims[0].name == "z");
    CHECK(claims[0].statement == "It falls");
    CHECK(claims[0].agrees == at_most(3));
    CHECK(claims[0].measure().value == 2.0);
    CHECK(claims[1].name == "a-3.2");
    CHECK(claims[1].agrees == between(1, 2.5));
    CHECK(claims[1].known == Range{0.5, 1});
    CHECK(claims[1].experiment == "toy");
}

TEST_CASE("every fault of a claim names its line") {
    CHECK(claim_faults("at_most = 1\nfunction = \"two\"\n").empty());
    const std::string unknown = claim_faults("at_mots = 1\nat_most = 1\nfunction = \"two\"\n");
    CHECK((unknown.starts_with("my.toml:6: ") && holds(unknown, "at_most")));
    CHECK(claim_faults("at_least = 2\nat_most = 1\nfunction = \"two\"\n") ==
          "my.toml:6: c: at_least 2 is above at_most 1. Swap them\n");
    CHECK(claim_faults("function = \"two\"\n") ==
          "my.toml:2: c: the range is missing. Add at_least, at_most, or both\n");
    CHECK(claim_faults("at_most = \"1\"\nfunction = \"two\"\n") == "my.toml:6: at_most: a number is needed\n");
    CHECK(claim_faults("at_most = 1\nfunction = \"tow\"\n")
              .starts_with("my.toml:7: function: unknown function 'tow'. Known: two"));
    CHECK(claim_faults("at_most = 1\n")
              .starts_with("my.toml:2: c: needs either value, an expression over runs, or function"));
    CHECK(claim_faults("at_most = 1\nfunction = \"two\"\nknown = [0, 1]\n")
              .starts_with("my.toml:2: c: known_difference and known"));
    CHECK(claim_faults("at_most = 1\nfunction = \"two\"\nknown_difference = \"x\"\nknown = [1, 0]\n")
              .starts_with("my.toml:9: known: two numbers are needed"));
    CHECK(claim_file_faults("experiment = \"toy\"\n[claims.c]\nat_most = 1\nfunction = \"two\"\n") ==
          "my.toml:2: c: statement is missing\nmy.toml:2: c: source is missing\n"
          "my.toml:2: c: quantity is missing\n");
}

TEST_CASE("a claim takes from one above it what it does not say itself") {
    std::vector<FileFault> faults;
    const std::vector<Claim> claims =
        parse_claims("experiment = \"toy\"\n[claims.a]\n" + kSays +
                         "at_most = 3\nreason = \"Ours\"\nvalue = \"seeds\"\ndetail = \"{step}\"\n"
                         "[claims.b]\nlike = \"a\"\nat_least = 1\nfunction = \"two\"\n",
                     "my.toml", known(), faults);
    CHECK(faults.empty());
    REQUIRE(claims.size() == 2);
    CHECK(claims[1].name == "b");
    CHECK(claims[1].statement == "It falls");
    CHECK(claims[1].reason == "Ours");
    CHECK(claims[1].agrees == between(1, 3));
    CHECK(claims[1].value.empty());
    CHECK(claims[1].detail.empty());
    CHECK(claims[1].measure().value == 2.0);
    CHECK(claim_faults("at_most = 1\nfunction = \"two\"\nlike = \"d\"\n[claims.d]\n" + kSays +
                       "at_most = 1\nfunction = \"two\"\n")
              .starts_with("my.toml:8: like: unknown claim above 'd'"));
    CHECK_FALSE(holds(claim_file_faults("[claims.c]\nlike = \"d\"\n"), "statement"));
}

TEST_CASE("faults of a file: its names, its figure, no claims, no TOML, a name twice") {
    CHECK(
        claim_file_faults("experiment = \"toi\"\n[claims]\n").starts_with("my.toml:1: experiment: unknown experiment"));
    CHECK(claim_file_faults("experiment = \"toy\"\nfigure = \"toy-2\"\n[claims]\n")
              .starts_with("my.toml:2: figure: unknown figure 'toy-2'. Known: toy-1"));
    CHECK(claim_file_faults("experiment = \"toy\"\n").starts_with("my.toml: claims: is missing"));
    CHECK(claim_file_faults("experiment = \"toy\n").starts_with("my.toml:1: "));
    CHECK(claim_file_faults("[claims.a]\n[claims.a]\n").starts_with("my.toml:2: "));
    // A figure's claims ask for what its drawing measures.
    CHECK(claim_file_faults("experiment = \"toy\"\nfigure = \"toy-1\"\n[claims.c]\n" + kSays +
                            "at_most = 1\nfunction = \"two\"\n")
              .starts_with("my.toml:8: function: unknown function 'two'. Known: loss, rate"));
}

TEST_CASE("the claims of a figure of one's own belong to it, by its name or the file's") {
    const std::string cells = "[[cells]]\nplot = \"loss\"\n";
    const std::string claim = "[claims.c]\n" + kSays + "at_most = 1\nvalue = \"mean(metric loss)\"\n";
    std::vector<FileFault> faults;
    for (const auto& [head, figure] :
         {std::pair{"experiment = \"toy\"\n", "depth"}, {"preset = \"toy\"\nfigure = \"mine\"\n", "mine"}}) {
        const auto claims = parse_claims(head + cells + claim, "some/depth.toml", known(), faults);
        REQUIRE(claims.size() == 1);
        CHECK(claims[0].figure == figure);
    }
    CHECK(parse_claims("experiment = \"toy\"\n" + cells, "depth.toml", known(), faults).empty());
    CHECK(faults.empty());
    CHECK(claim_file_faults("experiment = \"toy\"\n" + cells + "[claims.c]\n" + kSays +
                            "at_most = 1\nfunction = \"loss\"\n")
              .starts_with("my.toml:9: function: only shipped figures"));
}

TEST_CASE("a folder's claims: a name in two files, and their order") {
    const Scratch scratch;
    const auto file = [](const std::string& head, const std::string& name, const std::string& function) {
        return head + "[claims." + name + "]\n" + kSays + "at_most = 1\nfunction = \"" + function + "\"\n";
    };
    const std::string own = "experiment = \"toy\"\n", of_figure = own + "figure = \"toy-1\"\n";
    spit(scratch / "a.toml", file(of_figure, "a", "loss"));
    spit(scratch / "b.toml", file(own, "b", "two"));
    const std::vector<Claim> claims = claims_in(scratch.path(), known());
    REQUIRE(claims.size() == 2);
    CHECK(claims[0].name == "b");  // those without a figure come first
    const std::vector<MeasuredClaim> measured =
        measured_claims(claims, "toy-1", {.measured = {{"loss", {0.5}}, {"rate", {0.1}}}});
    REQUIRE(measured.size() == 1);
    CHECK(measured[0].name == "a");
    CHECK(measured[0].measurement.value == 0.5);

    spit(scratch / "c.toml", file(own, "b", "two"));
    CHECK(read_all_claims(scratch.path(), known()).faults.size() == 1);
    CHECK(message_of<InputError>([&] {
              claims_in(scratch.path(), known());
          }).starts_with((scratch / "c.toml").string() + ": claim 'b' is also in"));
}

}  // namespace emergence::claim_files_test
