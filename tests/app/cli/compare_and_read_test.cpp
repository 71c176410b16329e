// compare and read from the outside: folders in; tables, numbers, a figure and JSON out.

#include <doctest/doctest.h>

#include "app/cli/commands.h"
#include "tests/app/cli/told.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

namespace emergence::cli {

namespace {

using testing::Scratch;

Told tell_compare(const std::vector<std::string>& arguments) { return tell(arguments, {testing::toy_info()}); }

}  // namespace

TEST_CASE("networks that failed are counted beside a mean, and said where none is left") {
    const Scratch scratch;
    const std::string some = (scratch / "some").string(), all = (scratch / "all").string();
    CHECK(tell_compare({"run", "toy", "--set", "diverge_seed=1", "--out", some}).code == kDiverged);
    CHECK(tell_compare({"run", "toy", "--set", "all_diverge=true", "diverge_step=1", "--out", all}).code == kDiverged);
    CHECK(testing::holds(tell_compare({"read", some, "--quantity", "mean(metric loss)"}).out,
                         "n = 3); 1 network failed\n"));
    const Told told = tell_compare({"compare", some, all, "--out", (scratch / "c").string()});
    CHECK_MESSAGE(testing::holds(told.err, "every network of all failed"), told.err);
}

TEST_CASE("two runs are compared, and a folder of other things is left alone") {
    const Scratch scratch;
    const std::string a = (scratch / "a").string(), b = (scratch / "b").string(), out = (scratch / "c").string();
    REQUIRE(tell_compare({"run", "toy", "--out", a}).code == kDone);
    REQUIRE(tell_compare({"run", "toy", "--set", "learning_rate=0.1", "--out", b}).code == kDone);
    const Told told = check_done(tell_compare({"compare", a, b, "--out", out, "--json"}));
    CHECK(told.out.find("learning_rate: 0.05, 0.1\n") == 0);
    testing::check_holds(told.out, {"b minus a\n", "4 pairs"});
    CHECK(testing::holds(told.err, "b minus a: intervals from only 4 pairs are too narrow, and p is at least 0.12\n"));
    CHECK(testing::holds(told.out, "\"score\":\"loss\",\"paired\":true,\"n_a\":4"));
    CHECK(testing::holds(testing::slurp(scratch / "c/differences.csv"), "\na,b,loss,1,4,4,"));
    CHECK(testing::slurp(scratch / "c/comparison.pdf").substr(0, 4) == "%PDF");
    CHECK(tell_compare({"compare", a, b, "--out", out}).code == kDone);  // its own results
    const Told ratio = tell_compare(
        {"compare", a, b, "--score", "metric loss / metric loss first", "--out", (scratch / "d").string(), "--json"});
    CHECK(testing::holds(ratio.out, "\"score\":\"metric loss / metric loss first\",\"paired\":true"));
    CHECK(
        testing::holds(tell_compare({"compare", a, b, "--score", "mean(metric loss)"}).err, "one number per network"));
    std::ostringstream narrow, err;
    CHECK(run_command_line({"compare", a, b, "--out", (scratch / "narrow").string()},
                           {{.columns = 40}, {testing::toy_info()}, narrow, err}) == kDone);
    CHECK(testing::holds(narrow.str(), "\n  loss\n    a "));
    CHECK(testing::holds(tell_compare({"compare", a, b, "--out", a}).err, "holds another run of 'toy'"));
    CHECK(testing::holds(tell_compare({"compare", a, "--out", out}).err, "at least two runs"));
    CHECK(testing::holds(tell_compare({"compare", a, (scratch / "none").string()}).err, "is not the folder of a run"));
    CHECK(testing::holds(tell_compare({"compare", a, b, "--score", "beauty"}).err, "no metric 'beauty'"));

    std::filesystem::create_directory_symlink(a, scratch / "link");
    for (const std::string& again : {a, a + "/", a + "/checkpoint.npz", (scratch / "link").string()}) {
        CHECK(testing::holds(tell_compare({"compare", a, b, again}).err, "is the same run as"));
        CHECK(testing::holds(tell_compare({"read", a, again, "--quantity", "mean(metric loss)"}).err,
                             "Name each run once"));
    }
}

TEST_CASE("export writes the pictures of a saved run, which carry its settings and the command that made them") {
    const Scratch scratch;
    const std::string run = (scratch / "run").string(), out = (scratch / "p").string();
    REQUIRE(tell_compare({"run", "toy", "--out", run}).code == kDone);
    const Told all = check_done(tell_compare({"export", run, "--out", out, "--format", "svg", "--format", "csv"}));
    CHECK(testing::holds(all.out, "toy-"));
    CHECK(tell_compare({"export", run, "--out", out, "--format", "svg", "--format", "csv"}).code == kDone);  // again
    const std::string several = (scratch / "several").string();
    CHECK(tell_compare({"export", run, "--format", "svg", "csv", "--out", several}).code == kDone);
    CHECK(tell_compare({"export", run, "--format", "svg,csv", "--out", several, "--force"}).code == kDone);
    for (const char* file : {"toy-loss.svg", "toy-loss.csv"})
        CHECK(std::filesystem::exists(scratch / "p" / file) == std::filesystem::exists(scratch / "several" / file));
    const Told wrong = tell_compare({"export", run, "--picture", "toy-curve", "--out", out});
    testing::check_holds(wrong.err, {"picture 'toy-curve'", "toy-curves"});
    CHECK(testing::holds(tell_compare({"export", run, "--format", "bmp", "--out", out}).err, "bmp"));
    CHECK(testing::holds(tell_compare({"export", run, "--out", run}).err, "holds a"));
}

TEST_CASE("numbers of saved runs are read by quantities") {
    const Scratch scratch;
    const std::string a = (scratch / "a").string(), b = (scratch / "b").string();
    REQUIRE(tell_compare({"run", "toy", "--set", "seed=5", "--set", "diverge_seed=1", "--out", a}).code == kDiverged);
    REQUIRE(tell_compare({"run", "toy", "--set", "seed=5", "--out", b}).code == kDone);
    const Told seeds = check_done(tell_compare({"read", a, "--quantity", "metric loss"}));
    testing::check_holds(seeds.out, {"metric loss\n  seed 5: 0.", "  seed 6: – (failed)\n  seed 7: "});
    const Told mean =
        tell_compare({"read", a, "--quantity", "mean(metric loss)", "--quantity", "count(failed)", "--json"});
    testing::check_holds(mean.out, {"\"quantity\":\"mean(metric loss)\",\"value\":0.", "\"n\":3,\"failed\":1,\"low\":",
                                    "{\"quantity\":\"count(failed)\",\"value\":1.0,\"n\":4"});
    const Told pair = tell_compare({"read", a, b, "--quantity", "run b: mean(metric loss) / run a: mean(metric loss)"});
    CHECK(testing::holds(pair.out, "mean(metric loss): 1 (1 to 1, n = 3)"));
    CHECK(testing::holds(tell_compare({"read", a}).out, "metric loss"));
    check_refused(tell_compare({"read", a, "--quantity", "mean(metric lose)"}),
                  "\"mean(metric lose)\": column 6: unknown metric 'lose'. Known: loss");
    CHECK(testing::holds(tell_compare({"read", "--quantity", "step"}).err, "folder is required"));
}

}  // namespace emergence::cli
