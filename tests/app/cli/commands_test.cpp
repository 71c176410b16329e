#include "app/cli/commands.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>

#include "app/export/run_files.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/csv.h"
#include "core/files/npz.h"
#include "core/lab/claim_results.h"
#include "core/lab/study_grid.h"
#include "core/settings/toml.h"
#include "tests/app/cli/told.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;
using testing::count_entries;
using testing::data_file;
using testing::Scratch;
using testing::slurp;
using testing::spit;

// Two runs side by side; `probe` below zero makes a seed throw.
MadeFigure draw_two_sizes(const ExperimentInfo& info, const Settings& preset, const GridOptions& options) {
    Settings large = preset;
    large.set("size", int64_t{5});
    if (preset.number("probe") < 0) large.set("throw_seed", int64_t{0});
    const StudyGrid grid = run_studies(info, {{"small", preset}, {"large", large}}, options);
    MadeFigure made{{}, {{"toy-grid-loss", {0.5, "two runs"}}}, grid.failures, grid.stopped};
    PlotSpec plot;
    for (const FinishedRun& run : grid.runs)
        plot.series.push_back({"loss", run.history.steps(), {run.history.column("loss", 1)}, 0, false});
    made.figure.cells.push_back({plot, 0, 0, 1, 1});
    made.figure.column_weights = made.figure.row_weights = {1.0};
    return made;
}

// The toy with a figure that can be drawn, one that cannot, and claims of which one fails.
ExperimentInfo toy_with_figures() {
    ExperimentInfo info = testing::toy_info();
    const auto draw = [](const Snapshot& snapshot, const MetricHistory& history) {
        FigureSpec figure;
        figure.name = "toy-1";
        figure.caption = fmt::format("step {}", snapshot.step);
        PlotSpec plot;
        plot.series.push_back({"loss", history.steps(), {history.column("loss", 0)}, 0, false});
        figure.cells.push_back({plot, 0, 0, 1, 1});
        figure.column_weights = figure.row_weights = {1.0};
        return MadeFigure{figure};
    };
    const auto refuse = [](const Snapshot&, const MetricHistory&) -> MadeFigure {
        throw InputError("no such data");
    };
    info.figures = {{"toy-1", "The loss", "toy", {}, draw},
                    {"toy-2", "Nothing", "toy", {}, refuse},
                    {"toy-grid", "Two sizes", "toy", draw_two_sizes}};
    const auto gives = [](double value) { return [value] { return Measurement{value, "by hand"}; }; };
    info.claims = {
        {.name = "sound", .statement = "One is one", .agrees = at_most(1e-9), .measure = gives(0)},
        {.name = "sound-control", .agrees = at_least(0.5), .measure = gives(1)},
        {.name = "odd",
         .agrees = at_most(1),
         .known_difference = "Here it is two",
         .known = {1.5, 2.5},
         .measure = gives(2)},
        {.name = "broken", .statement = "One is two", .agrees = at_most(1e-9), .measure = gives(1)},
        {.name = "thrown",
         .agrees = at_most(1),
         .measure = []() -> Measurement { throw InputError("no such number"); }},
        {.name = "toy-grid-loss",
         .statement = "The loss is small",
         .agrees = at_most(1),
         .figure = "toy-grid"}};
    return info;
}

Told run_toy(const std::vector<std::string>& arguments, const fs::path& assets = {},
             const std::atomic<bool>* stop = nullptr) {
    return tell(arguments, {toy_with_figures()}, assets, stop);
}

// A refusal: exit code 2, nothing on standard output, one line.
std::string command_refusal(const Told& outcome) {
    CHECK(outcome.code == kBadInput);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.find('\n') == outcome.err.size() - 1);
    CHECK(outcome.err.starts_with("emergence-cli: "));
    return outcome.err.substr(15, outcome.err.size() - 16);
}

TEST_CASE("list and info name everything") {
    const Scratch scratch;
    fs::create_directories(scratch / "presets");
    spit(scratch / "presets/small.toml", "experiment = \"toy\"\ntitle = \"A small toy\"\n");
    spit(scratch / "presets/bad.toml", "experiment = ");
    const Told list = run_toy({"list"}, scratch.path());
    CHECK(list.code == kDone);
    for (const char* part : {"toy", "toy-1", "The loss", "small", "A small toy", "unreadable"})
        CHECK(list.out.find(part) != std::string::npos);
    const Told info = run_toy({"info", "toy"});
    for (const FieldInfo& field : *testing::toy_info().fields)
        CHECK(info.out.find(field.name) != std::string::npos);
    CHECK(info.out.find("a whole number from 1 to 16; restart") != std::string::npos);
    CHECK(info.out.find("a number from -10 to 10; live") != std::string::npos);
    CHECK(run_toy({"info"}).out.find("learning_rate") != std::string::npos);
    CHECK(command_refusal(run_toy({"info", "tdd"})) == "unknown experiment 'tdd', there are: toy");
}

TEST_CASE("a run leaves settings, metrics, weights and the figures that can be drawn") {
    const Scratch scratch;
    const Told outcome = run_toy({"run", "toy", "--set", "num_steps=40", "--set", "num_seeds=2", "--set",
                                  "seed=5", "--threads", "2", "--out", (scratch / "r").string()});
    CHECK(outcome.code == kDone);
    CHECK(outcome.err.find("toy: 40 of 40") != std::string::npos);
    CHECK(outcome.err.find("figure toy-2 is left out: no such data") != std::string::npos);
    CHECK(count_entries(scratch / "r") == 14);
    CHECK(outcome.out.find((scratch / "r/toy-1.png").string()) != std::string::npos);
    CHECK(slurp(scratch / "r/toy-1.pdf").substr(0, 4) == "%PDF");
    CHECK(slurp(scratch / "r/toy-1.png").substr(1, 3) == "PNG");

    const NumericTable metrics = read_csv(scratch / "r/metrics.csv");
    CHECK(metrics.header[0] == "seed");
    CHECK(metrics.header[1] == step_column("steps"));
    CHECK(metrics.column("seed") == std::vector<double>{5, 5, 5, 5, 5, 6, 6, 6, 6, 6});
    CHECK(metrics.column("step") == std::vector<double>{0, 10, 20, 30, 40, 0, 10, 20, 30, 40});

    Settings settings(testing::toy_info().fields);
    apply(read_settings(scratch / "r/config.toml"), settings);
    CHECK(settings == testing::toy_settings({"num_steps=40", "num_seeds=2", "seed=5"}));
    const Told again = run_toy({"run", "toy", "--config", (scratch / "r/config.toml").string(), "--threads",
                                "1", "--out", (scratch / "s").string()});
    CHECK(again.code == kDone);
    CHECK(slurp(scratch / "r/metrics.csv") == slurp(scratch / "s/metrics.csv"));
    CHECK(slurp(scratch / "r/weights.npz") == slurp(scratch / "s/weights.npz"));
}

TEST_CASE("a run of an experiment without a figure of its own leaves its curves and matrices") {
    ExperimentInfo info = testing::toy_info();
    REQUIRE(info.figures.empty());
    const Scratch scratch;
    const Told outcome =
        tell({"run", "toy", "--set", "num_steps=20", "--out", (scratch / "r").string()}, {info});
    CHECK(outcome.code == kDone);
    int pictures = 0;
    for (const auto& entry : fs::directory_iterator(scratch / "r"))
        pictures += entry.path().extension() == ".png" ? 1 : 0;
    CHECK(pictures >= 2);
    CHECK(outcome.out.find("toy-") != std::string::npos);
}

TEST_CASE("a setting without an effect is told, once the others are known") {
    ExperimentInfo info = testing::toy_info();
    FieldTable fields = *info.fields;
    for (FieldInfo& field : fields)
        if (field.name == "throw_step") field.acts_while = {{"throw_seed", {"-1"}, true}};
    info.fields = std::make_shared<const FieldTable>(fields);
    const Scratch scratch;
    const auto notices = [&](std::vector<std::string> changes) {
        std::vector<std::string> arguments = {"run",          "toy",   "--set",
                                              "num_steps=10", "--out", (scratch / "r").string()};
        for (const std::string& change : changes) arguments.insert(arguments.end(), {"--set", change});
        return tell(arguments, {info}).err;
    };
    const std::string notice = "emergence-cli: throw_step has no effect while throw_seed = -1\n";
    CHECK(notices({"throw_step=5"}).find(notice) != std::string::npos);
    CHECK(notices({"throw_step=20"}).find(notice) != std::string::npos);  // its default, but named
    CHECK(notices({}).find("no effect") == std::string::npos);
    CHECK(notices({"throw_step=50", "throw_seed=0"}).find("no effect") == std::string::npos);
    CHECK(tell({"info", "toy"}, {info}).out.find("Acts while throw_seed is not -1.") != std::string::npos);
}

TEST_CASE("a figure starts from its preset and is drawn, or says why not") {
    const Scratch scratch;
    fs::create_directories(scratch / "presets");
    spit(scratch / "presets/toy.toml", "experiment = \"toy\"\n[settings]\nnum_steps = 20\nsize = 2\n");
    const std::string out = (scratch / "f").string();
    CHECK(run_toy({"figure", "toy-1", "--set", "num_seeds=3", "--out", out}, scratch.path()).code == kDone);
    CHECK(fs::exists(scratch / "f/toy-1.pdf"));
    CHECK(fs::exists(scratch / "f/weights.npz"));
    CHECK(slurp(scratch / "f/config.toml").find("num_steps = 20\n") != std::string::npos);
    CHECK(slurp(scratch / "f/config.toml").find("num_seeds = 3\n") != std::string::npos);
    CHECK(run_toy({"figure", "toy-2", "--out", out + "2"}, scratch.path()).err.find("no such data") !=
          std::string::npos);
    CHECK(command_refusal(run_toy({"figure", "toy-3"}, scratch.path())) ==
          "unknown figure 'toy-3', there are: toy-1, toy-2, toy-grid");
    spit(scratch / "presets/toy.toml", "experiment = \"td\"\n");
    CHECK(command_refusal(run_toy({"figure", "toy-1"}, scratch.path())).find("found 'td', needed is 'toy'") !=
          std::string::npos);
}

TEST_CASE("a figure that was drawn is drawn again from its own settings, up to its own step, byte by byte") {
    const Scratch scratch;
    const std::string first = (scratch / "a").string();
    CHECK(run_toy({"run", "toy", "--set", "size=2", "--set", "num_steps=40", "--out", first}).code == kDone);
    for (const char* source : {"a/toy-1.pdf", "a/toy-1.svg", "a/toy-1.png", "a/toy-1.npz"}) {
        const std::string out = (scratch / "b").string();
        CHECK(run_toy({"figure", (scratch / source).string(), "--out", out}).code == kDone);
        for (const char* name :
             {"toy-1.pdf", "toy-1.svg", "toy-1.png", "toy-1.csv", "toy-1.npz", "config.toml"})
            CHECK(slurp(scratch / "a" / name) == slurp(scratch / "b" / name));
    }
    // A picture of an earlier moment.
    const SettingsFile file = read_settings(scratch / "a/config.toml");
    Settings settings = testing::toy_settings();
    apply(file, settings);
    spit(scratch / "early.toml", settings_to_toml("toy", settings, {"toy-1", 10}));
    CHECK(run_toy({"figure", (scratch / "early.toml").string(), "--out", (scratch / "c").string()}).code ==
          kDone);
    CHECK(slurp(scratch / "c/toy-1.svg").find("step 10 ") != std::string::npos);
    // As settings for a whole run, and as the start of another.
    CHECK(run_toy({"run", (scratch / "early.toml").string(), "--out", (scratch / "d").string()}).code ==
          kDone);
    CHECK(run_toy({"run", "toy", "--config", (scratch / "a/toy-1.png").string(), "--set", "seed=3", "--out",
                   (scratch / "e").string()})
              .code == kDone);
    CHECK(slurp(scratch / "e/config.toml").find("size = 2\nseed = 3\n") != std::string::npos);
    spit(scratch / "none.toml", "experiment = \"toy\"\n");
    CHECK(command_refusal(run_toy({"figure", (scratch / "none.toml").string()}))
              .find("holds settings and names no figure; 'emergence-cli run ") != std::string::npos);
    CHECK(command_refusal(run_toy({"run", (scratch / "a/metrics.csv").string()})).find("metrics.csv") !=
          std::string::npos);
}

TEST_CASE("a diverged seed is code 3, with seed and reason, and the files are there") {
    const Scratch scratch;
    const Told outcome = run_toy({"run", "toy", "--set", "diverge_seed=1", "--set", "seed=7", "--set",
                                  "num_steps=50", "--out", (scratch / "r").string()});
    CHECK(outcome.code == kDiverged);
    CHECK(outcome.err.find("1 of 4 seeds diverged (seed 8: the loss is not finite") != std::string::npos);
    CHECK(read_csv(scratch / "r/metrics.csv").rows() == 3 * 6 + 2);
}

TEST_CASE("Ctrl-C ends the run in order and what there is is written") {
    const Scratch scratch;
    const std::atomic<bool> stop{true};
    const Told outcome = run_toy({"run", "toy", "--out", (scratch / "r").string()}, {}, &stop);
    CHECK(outcome.code == kFailure);
    CHECK(outcome.err.find("stopped at 0 of 100 steps; what there is has been written") != std::string::npos);
    CHECK(read_csv(scratch / "r/metrics.csv").rows() == 4);
}

TEST_CASE("bad settings are refused on one line before anything is made") {
    const Scratch scratch;
    const std::string out = (scratch / "r").string();
    const auto with = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"run", "toy", "--out", out};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return command_refusal(run_toy(arguments, scratch.path()));
    };
    CHECK(with({"--set", "siz=3"}) == "unknown field 'siz' (did you mean 'size'?)");
    CHECK(with({"--set", "size=17"}) == "size: found '17', allowed is a whole number from 1 to 16");
    CHECK(with({"--set", "size"}) == "--set: found 'size', needed is field=value");
    CHECK(with({"--set", "size=16", "--set", "num_seeds=8"}).find("size * num_seeds is above 64") !=
          std::string::npos);
    CHECK(with({"--seeds", "4"}).find("unknown field 'seeds'") == 0);
    CHECK(with({"--config", (scratch / "none.toml").string()}).find("none.toml: cannot be read") !=
          std::string::npos);
    fs::create_directories(scratch / "presets");
    CHECK(with({"--preset", "none"}) == "unknown preset 'none', there are: ");
    CHECK(command_refusal(run_toy({"run", "toy", "--out", ""})) == "--out: is empty. Name a folder");
    CHECK(!fs::exists(out));
}

TEST_CASE("a folder that cannot be made or a file that cannot be replaced is code 1, by name") {
    const Scratch scratch;
    spit(scratch / "file", "");
    const Told outcome = run_toy({"run", "toy", "--out", (scratch / "file/r").string()});
    CHECK(outcome.code == kFailure);
    CHECK(outcome.err.find((scratch / "file/r").string() + ": cannot be made") != std::string::npos);
    // One file that cannot be written does not cost the others.
    const std::vector<std::string> run = {"run", "toy", "--out", (scratch / "r").string()};
    fs::create_directories(scratch / "r/metrics.csv");
    spit(scratch / "r/config.toml", settings_to_toml("toy", testing::toy_settings()));
    const Told partly = run_toy(run);
    CHECK(partly.code == kFailure);
    CHECK(partly.err.find("metrics.csv: cannot be written") != std::string::npos);
    CHECK(fs::exists(scratch / "r/weights.npz"));
    CHECK(fs::exists(scratch / "r/toy-1.pdf"));
}

TEST_CASE("verify says of each claim whether it holds, and fails where one does not") {
    const Told all = run_toy({"verify"});
    CHECK(all.code == kFailure);
    for (const char* part : {"One is one", "agrees", "Here it is two", "differs, as known", "One is two",
                             "FAILS", "no such number", "by hand", "3 of 5 claims hold"})
        CHECK(all.out.find(part) != std::string::npos);
    const Told one = run_toy({"verify", "sound", "odd"});
    CHECK(one.code == kDone);
    CHECK(one.out.find("sound-control") != std::string::npos);
    CHECK(one.out.find("broken") == std::string::npos);
    CHECK(run_toy({"verify", "toy"}).code == kFailure);
    // A figure's claim is what its last run measured, where that was kept.
    const Scratch scratch;
    const Told none = run_toy({"verify", "toy-grid-loss"}, scratch.path());
    CHECK(none.code == kFailure);
    CHECK(none.out.find("1 more is measured by figures: emergence-cli figure all") != std::string::npos);
    fs::create_directories(scratch / "results");
    ClaimResults results;
    results.figure = "toy-grid";
    results.version = "0.1.0";
    results.claims["toy-grid-loss"] = {0.5, "two runs"};
    spit(scratch / "results/toy-grid.toml", claim_results_to_toml(results));
    const Told kept = run_toy({"verify", "toy-grid-loss"}, scratch.path());
    CHECK(kept.code == kDone);
    CHECK(kept.out.find("kept from the last 'figure toy-grid'") != std::string::npos);
    CHECK(command_refusal(run_toy({"verify", "theorem-9"})) ==
          "unknown claim 'theorem-9', there are: toy, sound, sound-control, odd, broken, thrown, "
          "toy-grid-loss");
    const Told list = run_toy({"verify", "--list"});
    CHECK(list.code == kDone);
    CHECK(list.out.find("measured by verify") != std::string::npos);
    CHECK(list.out.find("measured by figure toy-grid") != std::string::npos);
    CHECK(list.out.find("FAILS") == std::string::npos);
}

TEST_CASE("a figure of many runs leaves settings, claims and pictures") {
    const Scratch scratch;
    fs::create_directories(scratch / "presets");
    spit(scratch / "presets/toy.toml", "experiment = \"toy\"\n[settings]\nnum_steps = 40\n");
    const std::string folder = (scratch / "f").string();
    const Told outcome = run_toy({"figure", "toy-grid", "--out", folder}, scratch.path());
    CHECK(outcome.code == kDone);
    CHECK(outcome.err.find("toy-grid: 8 of 8 runs (100 %)") != std::string::npos);
    CHECK(outcome.out.find("The loss is small") != std::string::npos);
    for (const char* file : {"config.toml", "claims.toml", "toy-grid.pdf", "toy-grid.png"})
        CHECK(fs::exists(scratch / "f" / file));
    CHECK(read_claim_results(scratch / "f/claims.toml").claims.at("toy-grid-loss").detail == "two runs");

    const Told changed =
        run_toy({"figure", "toy-grid", "--set", "probe=2", "--out", folder + "2"}, scratch.path());
    CHECK(changed.code == kDone);
    CHECK(changed.out.find("its claims are not checked") != std::string::npos);
    CHECK_FALSE(fs::exists(scratch / "f2/claims.toml"));

    const Told failed =
        run_toy({"figure", "toy-grid", "--set", "probe=-1", "--out", folder + "3"}, scratch.path());
    CHECK(failed.code == kDiverged);
    CHECK(failed.err.find("large, seed 0: the toy was told to throw") != std::string::npos);
    CHECK(fs::exists(scratch / "f3/toy-grid.png"));

    const std::atomic<bool> stop{true};
    const Told stopped = run_toy({"figure", "toy-grid", "--out", folder + "4"}, scratch.path(), &stop);
    CHECK(stopped.code == kFailure);
    CHECK_FALSE(fs::exists(scratch / "f4/toy-grid.png"));
}

TEST_CASE("figure all makes each figure in a folder of its own and goes on after one that fails") {
    const Scratch scratch;
    fs::create_directories(scratch / "presets");
    spit(scratch / "presets/toy.toml", "experiment = \"toy\"\n[settings]\nnum_steps = 20\n");
    ExperimentInfo info = toy_with_figures();
    info.figures.erase(info.figures.begin() + 1);  // the one that refuses
    const Told outcome = tell({"figure", "all", "--out", (scratch / "all").string()}, {info}, scratch.path());
    CHECK(outcome.code == kDone);
    CHECK(fs::exists(scratch / "all/toy-1/toy-1.png"));
    CHECK(fs::exists(scratch / "all/toy-grid/toy-grid.png"));
}

TEST_CASE("--json prints one value on one line") {
    const Scratch scratch;
    fs::create_directories(scratch / "presets");
    spit(scratch / "presets/small.toml", "experiment = \"toy\"\ntitle = \"A small toy\"\n");
    const Told list = run_toy({"list", "--json"}, scratch.path());
    CHECK(list.out.starts_with("{\"experiments\":[{\"name\":\"toy\",\"title\":\"Toy\"}],\"figures\":["));
    CHECK(list.out.ends_with(
        "\"presets\":[{\"name\":\"small\",\"title\":\"A small toy\",\"experiment\":\"toy\"}]}\n"));
    const Told info = run_toy({"info", "toy", "--json"});
    CHECK(info.out.find("{\"name\":\"corner\",\"label\":\"corner\",\"help\":\"the last entry, aligned\"}") !=
          std::string::npos);
    CHECK(info.out.find("\"default\":0.05,\"live\":false,\"minimum\":0.0,\"maximum\":1.0}") !=
          std::string::npos);
    CHECK(run_toy({"info", "--json"}).out.starts_with("[{\"name\":\"toy\""));
    const Told verify = run_toy({"verify", "broken", "thrown", "--json"});
    CHECK(verify.code == kFailure);
    CHECK(verify.out.find("\"measured\":1.0,\"detail\":\"by hand\",\"verdict\":\"FAILS\"") !=
          std::string::npos);
    CHECK(verify.out.find("\"measured\":null,\"detail\":\"no such number\"") != std::string::npos);
    CHECK(verify.out.ends_with("\"hold\":0,\"fail\":2,\"not_measured\":0}\n"));
    const Told run = run_toy({"run", "toy", "--set", "diverge_seed=1", "num_seeds=2", "--json", "--out",
                              (scratch / "r").string()});
    CHECK(run.code == kDiverged);
    const std::string last = run.out.substr(run.out.rfind('\n', run.out.size() - 2) + 1);
    CHECK(last.starts_with("{\"folder\":\"" + (scratch / "r").string() +
                           "\",\"experiment\":\"toy\",\"step\":100,"));
    CHECK(last.find("\"exit_code\":3,\"seeds\":[{\"seed\":0,\"step\":100,\"failed\":false,\"emerged\":") !=
          std::string::npos);
    CHECK(last.find("\"reason\":\"the loss is not finite at step 20\"") != std::string::npos);
}

TEST_CASE("units of steps make column names") {
    CHECK(step_column("MRPs") == "mrp");
    CHECK(step_column("updates") == "update");
    CHECK(step_column("trajectories") == "trajectory");
}

}  // namespace
}  // namespace emergence::cli
