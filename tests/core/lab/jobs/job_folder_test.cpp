
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <functional>
#include <limits>
#include <vector>

#include "core/base/error.h"
#include "core/files/array_files.h"
#include "core/lab/jobs/job_grid.h"
#include "core/lab/runs/run.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

namespace emergence {
namespace {

using testing::Scratch;

// Four seeds of the toy, in `threads`; stops after so many.
StudyGrid toy_grid(JobFolder& folder, int stop_after = 4) {
    std::atomic<bool> stop{false};
    return run_studies(testing::toy_info(), {{"", testing::toy_settings({"num_steps=40"})}},
                       {.stop = &stop,
                        .on_progress = [&](const GridProgress& now) { stop = stop || now.done == stop_after; },
                        .folder = &folder});
}

}  // namespace

TEST_CASE("a grid that was stopped is resumed from its finished jobs") {
    const Scratch scratch;
    {
        JobFolder folder(scratch.path(), "settings");
        CHECK(toy_grid(folder, 3).stopped);
    }
    CHECK(testing::count_entries(scratch.path()) == 1);  // jobs/
    CHECK(testing::count_entries(scratch / "jobs") == 3);
    const auto one = std::filesystem::directory_iterator(scratch / "jobs")->path();
    testing::spit(scratch / "jobs" / one.filename(), "damaged");
    JobFolder folder(scratch.path(), "settings");
    CHECK_FALSE(toy_grid(folder).stopped);
    CHECK(folder.loaded_cpu_seconds() > 0.0);
    CHECK(testing::count_entries(scratch / "jobs") == 4);
    CHECK_NOTHROW(read_npz(one));  // computed again
}

TEST_CASE("a folder that cannot be written stops the grid at once") {
    const Scratch scratch;
    testing::spit(scratch / "jobs", "a file");
    JobFolder folder(scratch.path(), "settings");
    CHECK_THROWS_WITH_AS(toy_grid(folder), doctest::Contains("jobs: cannot be made"), IoError);
}

TEST_CASE("studies of a folder are the same bits, computed or loaded") {
    const Scratch scratch;
    const std::vector<GridConfig> configs = {{"plain", testing::toy_settings({"num_steps=40"})},
                                             {"large", testing::toy_settings({"num_steps=60", "size=5"})}};
    const StudyGrid plain = run_studies(testing::toy_info(), configs, {.threads = 1});
    for (int start = 0; start < 2; ++start) {
        JobFolder folder(scratch.path(), "settings");
        const StudyGrid saved = run_studies(testing::toy_info(), configs, {.threads = 2, .folder = &folder});
        REQUIRE(saved.runs.size() == 2);
        for (size_t c = 0; c < 2; ++c) {
            CHECK(saved.runs[c].snapshot.matrices[0].seeds == plain.runs[c].snapshot.matrices[0].seeds);
            CHECK(saved.runs[c].snapshot.step == plain.runs[c].snapshot.step);
            CHECK(saved.runs[c].history.column("loss", 1) == plain.runs[c].history.column("loss", 1));
        }
        CHECK((folder.loaded_cpu_seconds() > 0.0) == (start == 1));
    }
}

TEST_CASE("a job's file that holds something else is computed again, not believed") {
    const std::vector<GridConfig> configs = {{"", testing::toy_settings({"num_steps=30", "num_seeds=2"})}};
    const StudyGrid plain = run_studies(testing::toy_info(), configs, {.threads = 1});
    const auto change = [](const char* name, size_t at, auto number) {
        return [=](ArrayMap& arrays) { std::get<std::vector<decltype(number)>>(arrays.at(name).values)[at] = number; };
    };
    const std::vector<std::function<void(ArrayMap&)>> changes = {
        change("steps", 0, int64_t{1} << 40),  // the seed
        change("steps", 0, int64_t{-1}),
        change("steps", 1, std::numeric_limits<int64_t>::max()),  // the step
        change("steps", 3, int64_t{-5}),                          // a row's
        [](ArrayMap& arrays) {
            arrays.at("metrics").shape = {1, 0}, arrays.at("metrics").values = std::vector<double>{};
        },
        [](ArrayMap& arrays) {
            arrays["state.matrix"] = {{1}, std::vector<double>{1}};
        },
        [](ArrayMap& arrays) {
            arrays.at("cpu_seconds") = {{0}, std::vector<double>{}};
        },
        [](ArrayMap& arrays) { arrays.erase("steps"); }};
    for (const auto& bend : changes) {
        const Scratch scratch;
        JobFolder first(scratch.path(), "settings"), second(scratch.path(), "settings");
        run_studies(testing::toy_info(), configs, {.folder = &first});
        for (const auto& file : std::filesystem::directory_iterator(scratch / "jobs")) {
            ArrayMap arrays = read_npz(file.path());
            bend(arrays);
            write_npz(file.path(), arrays);
        }
        const StudyGrid again = run_studies(testing::toy_info(), configs, {.folder = &second});
        CHECK(again.failures.empty());
        CHECK(again.runs[0].snapshot.matrices[0].seeds == plain.runs[0].snapshot.matrices[0].seeds);
        CHECK(again.runs[0].history.column("loss", 1) == plain.runs[0].history.column("loss", 1));
    }
}

}  // namespace emergence
