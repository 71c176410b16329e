#pragma once
// Computes the cells of a sweep.

#include "core/lab/jobs/job_grid.h"
#include "core/lab/sweeps/sweep_scores.h"

namespace emergence {

struct CellResult {
    CellScores scores;
    /// See weights_file(); empty if the sweep saves no weights.
    ArrayMap weights;
};
/// Trains the seeds of a cell and takes all of their scores. The result depends on `sweep` and `cell` alone. Throws
/// InputError if the sweep's score does not exist.
CellResult compute_cell(const Sweep& sweep, const SweepCell& cell, JobHandle& handle);

struct SweepResult {
    /// Those that were known and those that were computed.
    SweepScores scores;
    std::vector<JobFailure> failures;
    bool stopped = false;
};
/// Computes the cells that `known` lacks or has incomplete, coarse ones first, on options.threads threads. After each it
/// calls `save` with all cells that it has computed, one call at a time, and before that, if the sweep saves weights,
/// `save_weights` with the cell's, several calls at a time. The result does not depend on the threads. Throws what
/// `save` throws: then no further cell begins.
SweepResult run_sweep(const Sweep& sweep, const SweepScores& known, const GridOptions& options,
                      const std::function<void(const SweepScores&)>& save,
                      const std::function<void(const SweepCell&, const ArrayMap&)>& save_weights = {});

/// Estimates the processor time, in seconds, that the missing cells take: begins seeds of up to five of them for about
/// `budget` seconds in all. NaN if these cannot be made.
double estimate_seconds(const Sweep& sweep, const SweepScores& known, double budget);

}  // namespace emergence
