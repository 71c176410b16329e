#include "app/open/run_folder.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "tests/app/cli/told.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

namespace emergence::run_folder_test {
namespace {

namespace fs = std::filesystem;
using namespace testing;

const ExperimentInfo& find_toy(const std::string&) {
    static const ExperimentInfo toy = testing::toy_info();
    return toy;
}

// The toy at a step, as a window hands it over.
struct TrainedToy {
    ThreadPool pool{1};
    Run run{testing::toy_info().make(testing::toy_settings()), pool};
    MetricHistory history{run.study().metrics(), run.num_seeds()};
    SavedRun at(int64_t step) {
        for (const MetricRow& row : run.advance_to(step)) history.append(row);
        return {state_of("toy", run, 1.0), run.snapshot()};
    }
};

int64_t step_in(const fs::path& folder) { return *find_checkpoint(folder).checkpoint.settings.step; }

}  // namespace

TEST_CASE("a folder that cannot be looked at is not taken for one without a run") {
    const Scratch scratch;
    CHECK_FALSE(run_folder_at(scratch.path()));
    CHECK_FALSE(run_folder_at(scratch / "none"));
    fs::create_symlink(kCheckpointFile, scratch / kCheckpointFile);  // a circle
    CHECK(holds(message_of<IoError>([&] { run_folder_at(scratch.path()); }), "cannot be inspected"));
}

TEST_CASE("a window saves its run though its folder is renamed or removed") {
    const Scratch scratch;
    TrainedToy trained;
    RunFolder folder(scratch / "runs");
    folder.write(trained.at(10), trained.history, true);
    fs::rename(folder.path(), scratch / "runs/mine");
    folder.write(trained.at(20), trained.history, true);
    CHECK(folder.path() == fs::canonical(scratch / "runs/mine"));
    CHECK(step_in(scratch / "runs/mine") == 20);
    fs::remove_all(scratch / "runs/mine");
    folder.write(trained.at(30), trained.history, true);
    CHECK(step_in(folder.path()) == 30);
    CHECK(testing::count_entries(scratch / "runs") == 1);
}

TEST_CASE("a window neither opens nor saves a run through a link that leads out of its folder") {
    const Scratch scratch;
    TrainedToy trained;
    RunFolder written(scratch / "runs");
    written.write(trained.at(10), trained.history, true);
    written.close();
    spit(scratch / "victim", "mine");
    for (const char* name : {"config.toml", "metrics.csv", "moments.npz", "training-time.toml", "weights.npz",
                             "checkpoint-before.npz", "open", "mark.toml", "inputs", "jobs"}) {
        const fs::path given = scratch / "given";
        fs::remove_all(given);
        fs::copy(written.path(), given, fs::copy_options::recursive);
        fs::remove(given / name);
        fs::create_symlink(scratch / "victim", given / name);
        CAPTURE(name);
        CHECK(holds(message_of<InputError>([&] { run_in(given, find_toy); }), "is a link out of its folder"));
        // The same if the link appears after it was opened.
        if (const auto folder = RunFolder::claim(given))
            message_of<IoError>([&] { folder->write(trained.at(20), trained.history, true); });
        CHECK(slurp(scratch / "victim") == "mine");
    }
}

TEST_CASE("a window opens a run whose weights are gone if the run holds a copy") {
    const Scratch scratch;
    const std::string first = (scratch / "first").string(), second = (scratch / "second").string(),
                      start = (scratch / "start.npz").string();
    const auto run = [](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--seeds", "1", "--set", "num_mrps=20", "--set", "bank_size=20"});
        return cli::tell(arguments, experiments(), testing::source_dir() / "assets").code;
    };
    REQUIRE(run({"run", "td", "--out", first}) == 0);
    fs::copy_file(scratch / "first/weights.npz", start);
    REQUIRE(run({"run", "td", "--weights", start, "--out", second}) == 0);
    fs::remove(start);
    const RunToOpen opened = run_in(second, find_experiment);
    CHECK(opened.settings.text("weights") == second + "/inputs/weights.npz");
    CHECK(holds(opened.notice, "start.npz is gone. Using the run's copy"));
}

}  // namespace emergence::run_folder_test
