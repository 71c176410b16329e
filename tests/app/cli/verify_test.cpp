// verify --check: a file of one's own is checked, and measured on runs.
#include <doctest/doctest.h>

#include "tests/app/cli/toy_commands.h"
#include "tests/support/scratch.h"

namespace emergence::cli {
namespace {

using namespace testing;

const std::string kOwn =
    "[claims.small]\nstatement = \"The loss is small\"\nsource = \"ours: finding\"\nquantity = \"last loss, "
    "mean\"\nat_most = 1e9\n";

}  // namespace

TEST_CASE("verify --check names file and line of every fault") {
    const Scratch scratch;
    const std::string file = (scratch / "my.toml").string();
    spit(file, kOwn + "value = \"mean(metric loss\"\n[claims.other]\nat_least = 2\nat_most = 1\n");
    const Told told = run_toy({"verify", "--check", file});
    CHECK(told.code == kBadInput);
    CHECK(holds(told.err, file + ":6: value: "));
    CHECK(holds(told.err, file + ":8: other: at_least 2 is above at_most 1"));
    spit(file, kOwn + "value = \"mean(metric loss)\"\n");
    CHECK(run_toy({"verify", "--check", file}).out == "1 claim: nothing is wrong\n");
    CHECK(run_toy({"verify", "--check", (scratch / "none.toml").string()}).code == kBadInput);
}

TEST_CASE("verify --check FILE DIR reads a file's claims off a run, and off a figure's runs") {
    const Scratch scratch;
    const std::string file = (scratch / "my.toml").string(), run = (scratch / "run").string();
    spit(file, kOwn + "value = \"mean(metric loss)\"\n");
    REQUIRE(run_toy({"run", "toy", "--set", "num_steps=20", "num_seeds=3", "--out", run}).code == kDone);
    const Told told = check_done(run_toy({"verify", "--check", file, run}));
    check_holds(told.out, {"n = 3", "1 claim: 1 agrees"});
    CHECK(holds(command_refusal(run_toy({"verify", "--check", file, run, file})), "is not the folder"));
    spit(file, kOwn + "value = \"mean(metric lose)\"\n");
    const std::string mistake = command_refusal(run_toy({"verify", "--check", file, run}));
    CHECK(mistake.find(file + ": small: value: ") == 0);
    CHECK(holds(mistake, "unknown metric 'lose'"));
    spit(file, kOwn + "value = \"mean(metric loss)\"\n");
    const Scratch assets;
    std::filesystem::create_directories(assets / "presets");
    spit(assets / "presets/toy.toml", "experiment = \"toy\"\n[settings]\nnum_steps = 20\n");
    const std::string figure = (scratch / "figure").string();
    REQUIRE(run_toy({"figure", "toy-grid", "--out", figure}, assets.path()).code == kDone);
    CHECK(holds(run_toy({"verify", "--check", file, figure}, assets.path()).err, "trains no runs"));
}

}  // namespace emergence::cli
