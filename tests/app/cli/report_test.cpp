#include "app/cli/report.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <limits>

#include "app/cli/commands.h"
#include "core/files/atomic_write.h"
#include "tests/app/cli/told.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

namespace emergence::cli {
namespace {

Claim claim(const char* name, Range agrees, const char* known = "", Range where = {1, 0}) {
    Claim one;
    one.name = name;
    one.statement = "a < b & c";
    one.agrees = agrees;
    one.known_difference = known;
    one.known = where;
    return one;
}

}  // namespace

TEST_CASE("the report counts, escapes and holds its pictures") {
    Report report{"0.1.0", "2026-01-02", "2 threads", {}};
    ReportedFigure figure{"f-1", "A <title>", {std::byte{1}}, "", {}, 3.0, 4.0};
    figure.claims = {{claim("good", at_most(1)), {0.5, "x"}},
                     {claim("odd", at_most(1), "a known \"reason\"", {1.5, 2.5}), {2, ""}},
                     {claim("bad", at_most(1)), {3, ""}},
                     {claim("none", at_most(1)), {std::numeric_limits<double>::quiet_NaN(), ""}}};
    ReportedFigure missing{"f-2", "Not made", {}, "no room", {}, 0.0, 0.0};
    report.papers = {{"p", "A paper", {figure, missing}, {{claim("theorem", at_most(1)), {0, ""}}}, 7.0}};
    const Verdicts verdicts = count_verdicts(report).all();
    CHECK(verdicts[Verdict::agrees] == 2);
    CHECK(verdicts[Verdict::known_difference] == 1);
    CHECK(verdicts[Verdict::fails] == 3);  // a figure that could not be made as well
    const std::string page = html_of(report);
    for (const char* part : {"A &lt;title&gt;", "a &lt; b &amp; c", "data:image/png;base64,AQ==", "not measured",
                             "a known &quot;reason&quot;", "no room", "emergence-cli figure f-1", "</html>"})
        CHECK_MESSAGE(page.find(part) != std::string::npos, part);
    CHECK(page.find("<title>A") == std::string::npos);
    CHECK(page.find("src=\"http") == std::string::npos);
    CHECK(page.find("<link") == std::string::npos);
}

TEST_CASE("reproduce makes what there is, writes the page, and fails where a claim does") {
    const testing::Scratch scratch;
    ExperimentInfo info = testing::toy_info();
    int measured = 0;
    info.measures = {{"half",
                      [&measured] {
                          ++measured;
                          return Measurement{0.5, "half", Range{0.4, 0.6}, 7};
                      }},
                     {"two", [] { return Measurement{2.0}; }}};
    std::filesystem::create_directories(scratch / "figures");
    testing::spit(
        scratch / "figures/toy.toml",
        "experiment = \"toy\"\n"
        "claims.holds = { statement = \"s\", source = \"t\", quantity = \"q\", at_most = 1, function = \"half\" }\n"
        "claims.fails = { statement = \"s\", source = \"t\", quantity = \"q\", at_most = 1, function = \"two\" }\n");
    const std::vector<ExperimentInfo> known = {info};
    const std::string folder = (scratch / "r").string();
    const Told told = tell({"reproduce", "--out", folder}, known, scratch.path());
    CHECK(told.code == kFailure);
    CHECK(told.out.find("2 claims: 1 agrees, 0 undecided, 0 differ as known, 1 fails\n") != std::string::npos);
    CHECK(testing::slurp(scratch / "r/report.html").find("FAILS") != std::string::npos);
    const Told unknown = tell({"reproduce", "nature", "--out", folder}, known);
    CHECK(unknown.code == kBadInput);
    CHECK(unknown.err.find("unknown paper 'nature', there are: toy") != std::string::npos);
    CHECK(tell({"reproduce", "--out", folder}, known, scratch.path()).code == kFailure);  // its own folder
    const std::string page = testing::slurp(scratch / "r/report.html");
    CHECK(tell({"resume", folder}, known, scratch.path()).code == kFailure);
    CHECK(testing::slurp(scratch / "r/report.html") == page);
    CHECK(measured == 1);
    CHECK(page.find("0.5 (0.4 to 0.6, n = 7)") != std::string::npos);
}

TEST_CASE("reproduce refuses a folder of other things, also with --force") {
    const testing::Scratch scratch;
    const std::vector<ExperimentInfo> known = {testing::toy_info()};
    const std::string folder = (scratch / "r").string();
    std::filesystem::create_directories(folder);
    testing::spit(scratch / "r/report.html", "<!doctype html>\n<title>Holidays</title>\n");
    const Told refused = tell({"reproduce", "--out", folder}, known);
    CHECK(refused.code == kBadInput);
    CHECK(refused.err.find("holds report.html. Choose another --out") != std::string::npos);
    CHECK(tell({"reproduce", "--out", folder, "--force"}, known).code == kBadInput);
    CHECK(testing::slurp(scratch / "r/report.html").find("Holidays") != std::string::npos);
}

}  // namespace emergence::cli
