// sweep from the outside: files, other programs and other sweeps in the way.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <sstream>

#include "app/cli/commands.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "tests/app/cli/told.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/small_sweep.h"

namespace emergence::cli {
using namespace testing;

TEST_CASE("a sweep that is stopped before its first cell announces only files that are there") {
    const Scratch scratch;
    spit(scratch / "s.toml", kQuickSweep);
    const std::string out = (scratch / "s").string();
    const std::atomic<bool> stop{true};
    const Told told = tell({"sweep", (scratch / "s.toml").string(), "--out", out}, experiments(), {}, &stop);
    CHECK(told.code == kFailure);
    std::istringstream lines(told.out);
    for (std::string file; std::getline(lines, file);) CHECK_MESSAGE(std::filesystem::exists(file), file);
    CHECK_FALSE(holds(told.out, "cells.csv"));
    CHECK(tell({"sweep", out}).code == kDone);
    CHECK(std::filesystem::exists(scratch / "s/cells.csv"));
}

TEST_CASE("a sweep leaves its cells and its picture; a second process and a sweep without its cells are refused") {
    const Scratch scratch;
    const std::string file = (scratch / "s.toml").string();
    spit(file, kQuickSweep);
    const std::string one = (scratch / "one").string();
    CHECK(tell({"sweep", file, "--out", one, "--threads", "1"}).code == kDone);
    CHECK(slurp(scratch / "one/sweep.pdf").substr(0, 4) == "%PDF");
    CHECK(slurp(scratch / "one/sweep.toml") == kQuickSweep);
    {
        const auto other = FolderLock::take(scratch / "one");
        check_refused(tell({"sweep", one}),
                      "one: another program, perhaps the window, is writing this run. Nothing was changed", kFailure);
    }
    // Again: nothing is left to do.
    CHECK(holds(tell({"sweep", one}).err, "2 of 2 cells are already finished"));
    const std::string cells = slurp(scratch / "one/cells.csv");
    std::string narrower = kQuickSweep;
    narrower.replace(narrower.find("[1, 2]"), 6, "[1]");
    spit(file, narrower);
    check_refused(tell({"sweep", file, "--out", one}),
                  "one: holds 1 finished rows of cells or seeds that are not in this sweep");
    CHECK(slurp(scratch / "one/cells.csv") == cells);
    CHECK(tell({"sweep", file, "--out", one, "--force"}).code == kDone);
    CHECK(slurp(scratch / "one/cells.csv") != cells);
}

TEST_CASE("a sweep is asked for on the command line, and shown in other ways without training") {
    const Scratch scratch;
    const std::string out = (scratch / "s").string();
    const Told told = check_done(tell({"sweep", "regression", "--set", "num_layers=1,2", "--set", "n=5:10:2", "--set",
                                       "optimizer=lbfgs,adam", "--set", "num_iterations=1", "num_prompts=500",
                                       "bank_size=500", "d=3", "--score", "loss", "--seeds", "1", "--out", out}));
    CHECK(holds(told.out, "cells.csv"));
    const std::string cells = slurp(scratch / "s/cells.csv");
    CHECK(cells.find("num_layers,n,optimizer,seed,emerged,") == 0);
    CHECK(holds(cells, "\n1,5,adam,0,"));
    const std::string picture = slurp(scratch / "s/sweep.csv");
    const Told again = check_done(tell({"sweep", out, "--score", "emerged"}));
    CHECK(holds(again.err, "8 of 8 cells are already finished"));
    CHECK(slurp(scratch / "s/sweep.csv") != picture);
    CHECK(holds(tell({"sweep", "regression"}).err, "give a setting several values"));
    CHECK(holds(tell({"sweep", "regresion", "--set", "n=5,6"}).err, "unknown sweep, file or experiment"));
}

TEST_CASE("an axis that is called as a score has its own column") {
    const Scratch scratch;
    const std::string out = (scratch / "s").string();
    check_done(tell({"sweep", "td", "--set", "loss=td,residual_gradient", "num_mrps=10", "bank_size=20",
                     "log_interval=10", "--score", "loss", "--seeds", "1", "--out", out}));
    const std::string cells = slurp(scratch / "s/cells.csv");
    CHECK(cells.find("loss,seed,emerged,loss (score),alpha,") == 0);
    CHECK(holds(cells, "\nresidual_gradient,0,0,"));
    CHECK(holds(tell({"sweep", out}).err, "2 of 2 cells are already finished"));
    CHECK(slurp(scratch / "s/cells.csv") == cells);
}

TEST_CASE("a sweep says how it was made and what its columns are, and keeps the files that its settings name") {
    const Scratch scratch;
    const std::string start = (scratch / "start").string(), out = (scratch / "s").string();
    const std::string weights = start + "/weights.npz";
    CHECK(tell({"run", "td", "--set", "num_mrps=10", "bank_size=20", "--seeds", "1", "--out", start}).code == kDone);
    const auto sweep = [&] {
        return tell({"sweep", "td", "--set", "n=5,6", "num_mrps=10", "bank_size=20", "log_interval=10",
                     "weights=" + weights, "--seeds", "1", "--out", out});
    };
    CHECK(sweep().code == kDone);
    const std::string cells = slurp(scratch / "s/cells.csv"), columns = slurp(scratch / "s/columns.toml");
    check_holds(columns,
                {"[[axes]]\nname = \"n\"\n", "[[scores]]\nname = \"emerged\"\n", "name = \"msve_best_linear\""});
    CHECK(holds(slurp(scratch / "s/provenance.toml"), "cpu_seconds = "));
    const std::string original = slurp(weights);
    CHECK(slurp(scratch / "s/inputs/weights.npz") == original);
    for (const char* file : {"sweep.toml", "cells.toml", "provenance.toml", "inputs/inputs.toml"}) {
        CHECK(holds(slurp(scratch / "s" / file), "weights.npz"));
        CHECK_FALSE(holds(slurp(scratch / "s" / file), start));  // no place of this machine
    }
    // Other weights would not be of the same sweep.
    std::filesystem::copy_file(start + "/initial-weights.npz", weights,
                               std::filesystem::copy_options::overwrite_existing);
    check_refused(sweep(), "weights.npz was changed or removed since its cells were computed");
    // The folder has what it needs, wherever it lies.
    std::filesystem::remove_all(start);
    std::filesystem::rename(scratch / "s", scratch / "moved");
    CHECK(tell({"resume", (scratch / "moved").string()}).code == kDone);
    CHECK(slurp(scratch / "moved/cells.csv") == cells);
    std::filesystem::rename(scratch / "moved", scratch / "s");
    std::filesystem::create_directory(start);
    spit(weights, original);
    CHECK(sweep().code == kDone);
    // A start that ended before it had copied its inputs.
    std::filesystem::remove_all(scratch / "s/inputs");
    for (const char* file : {"cells.csv", "cells.toml"}) std::filesystem::remove(scratch / "s" / file);
    CHECK(sweep().code == kDone);
    CHECK(slurp(scratch / "s/cells.csv") == cells);
}

TEST_CASE("a sweep's picture holds the sweep, and is computed again from it") {
    const Scratch scratch;
    const std::string file = (scratch / "s.toml").string(), out = (scratch / "s").string();
    spit(file, kQuickSweep);
    CHECK(tell({"sweep", file, "--out", out}).code == kDone);
    for (const char* picture : {"sweep.png", "sweep.svg", "sweep.pdf", "sweep.npz"}) {
        const std::string path = (scratch / "s" / picture).string();
        const std::string again = (scratch / picture).string() + "-again";
        CHECK(holds(tell({"run", path}).err, "is a sweep. Compute it with: emergence-cli sweep " + path));
        CHECK(tell({"sweep", path, "--out", again, "--dry-run"}).code == kDone);
    }
    const std::string svg = (scratch / "s/sweep.svg").string(), again = (scratch / "again").string();
    CHECK(tell({"sweep", svg, "--out", again}).code == kDone);
    CHECK(slurp(scratch / "again/cells.csv") == slurp(scratch / "s/cells.csv"));
}

TEST_CASE("a sweep's files name the seeds that its cells have, whether asked as setting or as option") {
    const Scratch scratch;
    for (const std::vector<std::string>& asked :
         {std::vector<std::string>{"--seeds", "2"}, {"--set", "seeds=2", "seed=3"}}) {
        const std::string out = (scratch / asked.back()).string();
        std::vector<std::string> arguments =
            with_words({"sweep", "regression", "--preset", "regression-1", "--out", out}, asked);
        for (const char* word : {"--set", "num_layers=2,3", "num_iterations=1", "num_prompts=500", "bank_size=500"})
            arguments.emplace_back(word);
        check_done(tell(arguments, experiments(), testing::source_dir() / "assets"));
        const std::string file = slurp(scratch / asked.back() / "sweep.toml"),
                          cells = slurp(scratch / asked.back() / "cells.csv");
        CHECK(file.find("\nseeds = 2\n") < file.find("[settings]"));
        CHECK(file.find("\nseeds = ", file.find("[settings]")) == std::string::npos);
        CHECK(std::count(cells.begin(), cells.end(), '\n') == 5);
    }
}

TEST_CASE("a setting that a sweep sets twice is refused") {
    const Scratch scratch;
    const Told twice = tell({"sweep", "td", "--set", "num_layers=1,2", "n=10", "num_layers=3,4"});
    CHECK(twice.code == kBadInput);
    CHECK(twice.err == "emergence-cli: --set: num_layers is given twice. List its values together: num_layers=1,2,3\n");
    const std::string file = (scratch / "s.toml").string();
    std::string both = kQuickSweep;
    both.replace(both.find("num_iterations = 1"), 18, "num_layers = 3");
    spit(file, both);
    check_refused(tell({"sweep", file}), "s.toml:5:14: 'num_layers' is an axis too. Leave it out here");
}

}  // namespace emergence::cli
