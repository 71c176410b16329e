#include "core/lab/jobs/job_grid.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "core/base/error.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "tests/support/small_runs.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using namespace emergence::testing;

TEST_SUITE_BEGIN("threads");

namespace {

// Jobs with results, one each.
template <class Result>
struct GridJob {
    std::string label;
    std::function<Result(const Reached&)> work;
};

template <class Result>
struct GridResults : GridOutcome {
    // One per job; nullopt if it failed or was stopped.
    std::vector<std::optional<Result>> results;
};

template <class Result>
GridResults<Result> run_grid(const std::vector<GridJob<Result>>& jobs, const GridOptions& options) {
    GridResults<Result> grid;
    grid.results.resize(jobs.size());
    std::vector<std::string> labels;
    for (const auto& job : jobs) labels.push_back(job.label);
    static_cast<GridOutcome&>(grid) =
        run_jobs(labels, options, [&](size_t i, const Reached& reached) { grid.results[i] = jobs[i].work(reached); });
    return grid;
}

std::vector<GridJob<int>> squares(int count, int bad = -1) {
    std::vector<GridJob<int>> jobs;
    for (int k = 0; k < count; ++k)
        jobs.push_back({fmt::format("k = {}", k), [k, bad](const Reached& reached) {
                            reached(0.5);
                            if (k == bad) throw std::runtime_error("no square");
                            return k * k;
                        }});
    return jobs;
}

}  // namespace

TEST_CASE("results come in the order of the jobs, whatever the threads") {
    for (const int threads : {1, 2, 5}) {
        const auto grid = run_grid(squares(20), {.threads = threads});
        CHECK_FALSE(grid.stopped);
        CHECK(grid.failures.empty());
        for (int k = 0; k < 20; ++k) CHECK(grid.results[static_cast<size_t>(k)] == k * k);
    }
    CHECK(run_grid(std::vector<GridJob<int>>{}, {}).results.empty());
    CHECK_THROWS_WITH_AS(run_grid(squares(1), {.threads = 0}), doctest::Contains("threads: 0 is not"), InputError);
}

TEST_CASE("a job that throws is reported by its name and loses nobody else's result") {
    const auto grid = run_grid(squares(8, 3), {.threads = 2});
    REQUIRE(grid.failures.size() == 1);
    CHECK(grid.failures[0].label == "k = 3");
    CHECK(grid.failures[0].reason == "no square");
    CHECK_FALSE(grid.results[3]);
    CHECK(grid.results[7] == 49);
    CHECK_FALSE(grid.stopped);
}

TEST_CASE("a part of a grid lists what is missing, or does the jobs that it names and ends as if stopped") {
    const auto odd_is_there = [](size_t job) { return job % 2 == 1; };
    std::vector<size_t> done;
    const auto work = [&](size_t job, const Reached&) { done.push_back(job); };
    const std::vector<std::string> labels = {"a", "b", "c"};
    GridPart lists, part{.labels = {"c"}}, none;
    CHECK(run_jobs(labels, {.part = &lists}, work, odd_is_there).stopped);
    CHECK(lists.missing == std::vector<std::string>{"a", "c"});
    CHECK(done.empty());
    CHECK(run_jobs(labels, {.part = &part}, work, odd_is_there).stopped);
    CHECK(done == std::vector<size_t>{2});
    CHECK_FALSE(run_jobs(labels, {.part = &none}, work, [](size_t) { return true; }).stopped);
    CHECK(none.missing.empty());
}

TEST_CASE("progress counts jobs and shares, and knows the time that is left") {
    std::vector<GridProgress> told;
    run_grid(squares(4, 2), {.name = "squares", .on_progress = [&](const GridProgress& p) { told.push_back(p); }});
    REQUIRE(told.size() == 8);  // at half and at the end of each
    CHECK(told[0].share == doctest::Approx(0.125));
    CHECK(told[0].done == 0);
    CHECK(std::isfinite(told[0].seconds_left));
    CHECK(told.back().done == 4);
    CHECK(told.back().failed == 1);
    CHECK(told.back().total == 4);
    CHECK(told.back().share == 1.0);
    CHECK(told.back().seconds_left == 0.0);
    CHECK(told.back().name == "squares");
}

TEST_CASE("a stopped grid ends at the next word of a job and keeps what was done") {
    std::atomic<bool> stop{false};
    std::vector<GridJob<int>> jobs = squares(6);
    jobs[2].work = [&stop](const Reached& reached) {
        stop = true;
        reached(0.1);
        return -1;
    };
    const auto grid = run_grid(jobs, {.stop = &stop});
    CHECK(grid.stopped);
    CHECK(grid.results[1] == 1);
    CHECK_FALSE(grid.results[2]);
    CHECK_FALSE(grid.results[5]);
    CHECK(grid.failures.empty());
}

TEST_CASE("studies on a grid are the runs of their settings, bit for bit") {
    const std::vector<GridConfig> configs = {{"plain", toy_settings({"num_steps=40"})},
                                             {"large", toy_settings({"num_steps=60", "size=5", "seed=9"})}};
    for (const int threads : {1, 3}) {
        const StudyGrid grid = run_studies(toy_info(), configs, {.threads = threads});
        REQUIRE(grid.runs.size() == 2);
        for (size_t c = 0; c < 2; ++c) {
            RunOf run(toy_info(), configs[c].settings, 1);
            MetricHistory history = run.history_to(1000);
            const FinishedRun& finished = grid.runs[c];
            CHECK(finished.snapshot.step == run.step());
            CHECK(finished.snapshot.matrices[0].seeds == run.snapshot().matrices[0].seeds);
            CHECK(finished.history.steps() == history.steps());
            for (int k = 0; k < run.num_seeds(); ++k)
                CHECK(finished.history.column("loss", k) == history.column("loss", k));
            CHECK(finished.plots.size() == run.study().metric_plots().size());
        }
    }
}

TEST_CASE("a seed that throws is missing from its run, and is named with its configuration") {
    const std::vector<GridConfig> configs = {{"plain", toy_settings({"num_steps=40"})},
                                             {"bad", toy_settings({"num_steps=40", "throw_seed=1"})}};
    const StudyGrid grid = run_studies(toy_info(), configs, {.threads = 2});
    REQUIRE(grid.failures.size() == 1);
    CHECK(grid.failures[0].label == "bad, seed 1");
    CHECK(grid.failures[0].reason == "the toy was told to throw");
    CHECK(grid.runs[0].snapshot.seeds.size() == 4);
    CHECK(grid.runs[1].snapshot.seeds.size() == 3);
    CHECK(grid.runs[1].history.num_seeds() == 3);
    CHECK_THROWS_WITH_AS(run_studies(toy_info(), {{"", toy_settings({"size=16", "num_seeds=8"})}}, {}),
                         doctest::Contains("size: size * num_seeds is above 64"), InputError);
}

TEST_SUITE_END();
