// The commands that draw figures and check claims.
#include <doctest/doctest.h>

#include "core/base/version.h"
#include "core/lab/figures/claims.h"
#include "core/settings/toml.h"
#include "tests/app/cli/told.h"
#include "tests/app/cli/toy_commands.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;
using namespace testing;

TEST_CASE("a figure starts from its preset and is drawn, or says why not") {
    const Scratch scratch;
    fs::create_directories(scratch / "presets");
    spit(scratch / "presets/toy.toml", "experiment = \"toy\"\n[settings]\nnum_steps = 20\nsize = 2\n");
    const std::string out = (scratch / "f").string();
    CHECK(run_toy({"figure", "toy-1", "--set", "num_seeds=3", "--out", out}, scratch.path()).code == kDone);
    CHECK(fs::exists(scratch / "f/toy-1.pdf"));
    CHECK(fs::exists(scratch / "f/weights.npz"));
    CHECK(holds(slurp(scratch / "f/config.toml"), "num_steps = 20\n"));
    CHECK(holds(slurp(scratch / "f/config.toml"), "num_seeds = 3\n"));
    CHECK(holds(run_toy({"figure", "toy-2", "--out", out + "2"}, scratch.path()).err, "no such data"));
    CHECK(command_refusal(run_toy({"figure", "toy-3"}, scratch.path())) ==
          "unknown figure 'toy-3'. Known: toy-1, toy-2, toy-grid. Did you mean 'toy-1'?");
    spit(scratch / "presets/toy.toml", "experiment = \"td\"\n");
    CHECK(holds(command_refusal(run_toy({"figure", "toy-1"}, scratch.path())), "holds settings of td, not of toy"));
}

TEST_CASE("a figure that was drawn is drawn again from its own settings, up to its own step, byte by byte") {
    const Scratch scratch;
    const std::string first = (scratch / "a").string();
    CHECK(run_toy({"run", "toy", "--set", "size=2", "--set", "num_steps=40", "--out", first}).code == kDone);
    for (const char* source : {"a/toy-1.pdf", "a/toy-1.svg", "a/toy-1.png", "a/toy-1.npz"}) {
        const std::string out = (scratch / "b").string();
        CHECK(run_toy({"figure", (scratch / source).string(), "--out", out}).code == kDone);
        for (const char* name : {"toy-1.pdf", "toy-1.svg", "toy-1.png", "toy-1.csv", "toy-1.npz", "config.toml"})
            CHECK(slurp(scratch / "a" / name) == slurp(scratch / "b" / name));
    }
    // A picture of an earlier moment.
    const SettingsFile file = read_settings(scratch / "a/config.toml");
    Settings settings = testing::toy_settings();
    apply(file, settings);
    spit(scratch / "early.toml", settings_to_toml("toy", settings, {"toy-1", 10}));
    CHECK(run_toy({"figure", (scratch / "early.toml").string(), "--out", (scratch / "c").string()}).code == kDone);
    CHECK(holds(slurp(scratch / "c/toy-1.svg"), "step 10 "));
    // As settings for a whole run, and as the start of another.
    CHECK(run_toy({"run", (scratch / "early.toml").string(), "--out", (scratch / "d").string()}).code == kDone);
    check_done(
        run_toy({"run", (scratch / "a/toy-1.png").string(), "--set", "seed=3", "--out", (scratch / "e").string()}));
    CHECK(holds(slurp(scratch / "e/config.toml"), "size = 2\nseed = 3\n"));
    spit(scratch / "none.toml", "experiment = \"toy\"\n");
    CHECK(command_refusal(run_toy({"figure", (scratch / "none.toml").string()}))
              .find("holds settings but names no figure. To train with its settings and draw the result: emergence-cli "
                    "run ") != std::string::npos);
    CHECK(holds(command_refusal(run_toy({"run", (scratch / "a/metrics.csv").string()})), "metrics.csv"));
}

TEST_CASE("verify says of each claim whether it agrees, counts each verdict, and fails where one does") {
    const Told all = run_toy({"verify"});
    CHECK(all.code == kFailure);
    for (const char* part :
         {"One is one", "agrees", "Here it is two", "differs, as known", "One is two", "FAILS", "no such number",
          "by hand", "5 claims: 2 agree, 0 undecided, 1 differs as known, 2 fail\n"})
        CHECK(holds(all.out, part));
    const Told one = check_done(run_toy({"verify", "sound", "odd"}));
    CHECK(holds(one.out, "sound-control"));
    // One that differs as known does not agree.
    const Told odd = check_done(run_toy({"verify", "odd", "--json"}));
    CHECK(
        odd.out.ends_with("\"hold\":0,\"agree\":0,\"undecided\":0,\"differ_as_known\":1,\"fail\":0,"
                          "\"not_measured\":0,\"left_out\":[]}\n"));
    CHECK(run_toy({"verify", "toy"}).code == kFailure);
    // A figure's claim is what its last run measured, where that was kept.
    const Scratch scratch;
    const Told none = run_toy({"verify", "toy-grid-loss"}, scratch.path());
    CHECK(none.code == kFailure);
    CHECK(holds(none.out, "1 more is measured by figures: emergence-cli figure all"));
    fs::create_directories(scratch / "results");
    ClaimResults results;
    results.figure = "toy-grid";
    results.version = "0.1.0";
    results.claims["toy-grid-loss"] = {0.5, "two runs"};
    spit(scratch / "results/toy-grid.toml", claim_results_to_toml(results));
    const Told kept = check_done(run_toy({"verify", "toy-grid-loss"}, scratch.path()));
    CHECK(holds(kept.out, "result of the last 'figure toy-grid'"));
    CHECK(command_refusal(run_toy({"verify", "theorem-9"})) ==
          "unknown claim 'theorem-9'. Known: toy, sound, sound-control, odd, broken, thrown, toy-grid-loss");
    CHECK(holds(run_toy({"verify", "--list"}).out, "measured by figure toy-grid"));
}

TEST_CASE("a figure of many runs leaves settings, claims and pictures") {
    const Scratch scratch;
    fs::create_directories(scratch / "presets");
    spit(scratch / "presets/toy.toml", "experiment = \"toy\"\n[settings]\nnum_steps = 40\n");
    const std::string folder = (scratch / "f").string();
    const Told outcome = check_done(run_toy({"figure", "toy-grid", "--json", "--out", folder}, scratch.path()));
    const std::string last = outcome.out.substr(outcome.out.rfind('\n', outcome.out.size() - 2) + 1);
    check_holds(last, {"\"figure\":\"toy-grid\"", "\"name\":\"toy-grid-loss\""});
    CHECK(holds(outcome.err, "toy-grid: 8 of 8 runs (100 %)"));
    CHECK(holds(outcome.out, "The loss is small"));
    for (const char* file : {"config.toml", "claims.toml", "toy-grid.pdf", "toy-grid.png"})
        CHECK(fs::exists(scratch / "f" / file));
    CHECK(read_claim_results(scratch / "f/claims.toml").claims.at("toy-grid-loss").detail == "two runs");

    const Told changed =
        check_done(run_toy({"figure", "toy-grid", "--set", "probe=2", "--out", folder + "2"}, scratch.path()));
    CHECK(holds(changed.out, "its claims are not checked"));
    CHECK_FALSE(fs::exists(scratch / "f2/claims.toml"));

    check_refused(run_toy({"figure", "toy-grid", "--set", "probe=-1", "--out", folder + "3"}, scratch.path()),
                  "large, seed 0: the toy was told to throw", kDiverged);
    CHECK(fs::exists(scratch / "f3/toy-grid.png"));

    const std::atomic<bool> stop{true};
    const Told stopped = run_toy({"figure", "toy-grid", "--out", folder + "4"}, scratch.path(), &stop);
    CHECK(stopped.code == kFailure);
    CHECK_FALSE(fs::exists(scratch / "f4/toy-grid.png"));
    CHECK(holds(stopped.err, "Finished runs are saved. Resume with: emergence-cli resume " + folder + "4\n"));

    // Resumed, it is the same figure; the finished one is drawn again from its jobs.
    for (const char* again : {"4", ""}) {
        const Told resumed = check_done(run_toy({"resume", folder + again}, scratch.path()));
        CHECK(holds(resumed.out, "The loss is small"));
    }
    for (const char* file : {"config.toml", "toy-grid.csv", "toy-grid.svg"})
        CHECK(slurp(scratch / "f4" / file) == slurp(scratch / "f" / file));
    const std::string refusal =
        command_refusal(run_toy({"resume", folder + "4", "--set", "num_steps=50"}, scratch.path()));
    CHECK(holds(refusal, "is not a run. Only a run can change its settings"));
}

TEST_CASE("figure all makes each figure in a folder of its own and goes on after one that fails") {
    const Scratch scratch;
    fs::create_directories(scratch / "presets");
    spit(scratch / "presets/toy.toml", "experiment = \"toy\"\n[settings]\nnum_steps = 20\n");
    ExperimentInfo info = toy_with_figures();
    info.figures.erase(info.figures.begin() + 1);  // the one that refuses
    check_done(tell({"figure", "all", "--out", (scratch / "all").string()}, {info}, scratch.path()));
    CHECK(fs::exists(scratch / "all/toy-1/toy-1.png"));
    CHECK(fs::exists(scratch / "all/toy-grid/toy-grid.png"));
    fs::remove_all(scratch / "all/toy-1");
    CHECK(tell({"resume", (scratch / "all").string()}, {info}, scratch.path()).code == kDone);
    CHECK(fs::exists(scratch / "all/toy-1/toy-1.png"));
}

}  // namespace
}  // namespace emergence::cli
