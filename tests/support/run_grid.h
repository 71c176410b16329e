#pragma once
// Jobs with results, one each.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/lab/jobs/job_grid.h"

namespace emergence::testing {

template <class Result>
struct GridJob {
    std::string label;
    std::function<Result(const Reached&)> work;
};

template <class Result>
struct GridResults : GridOutcome {
    /// One per job; nullopt if it failed or was stopped.
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

}  // namespace emergence::testing
