#pragma once
// Computes the cells of a sweep.

#include <filesystem>

#include "core/lab/jobs/job_grid.h"
#include "core/lab/store/checkpoint.h"
#include "core/lab/study.h"
#include "core/lab/sweeps/sweep.h"

namespace emergence {

struct SweepResult : GridOutcome {
    /// The known and the computed cells.
    SweepScores scores;
};
/// Computes the cells that `known` lacks or has incomplete, coarse ones first, on options.threads threads. After each
/// cell it calls `on_cell`, one call at a time. The result does not depend on the threads. Throws what `on_cell`
/// throws: then no further cell begins.
SweepResult run_sweep(const Sweep& sweep, const SweepScores& known, const GridOptions& options,
                      const std::function<void(const SweepCell&, const CellScores&)>& on_cell = {});

/// Estimates the processor time, in seconds, that the missing cells will take, by training seeds of up to five of them
/// for about `budget` seconds in all. NaN if they cannot be made.
double estimate_seconds(const Sweep& sweep, const SweepScores& known, double budget);

// The folder of a sweep: its file, and its computed cells. Window and command line can resume each other's sweeps.

inline constexpr const char* kCellsFile = "cells.csv";
/// A copy of the sweep from the time when the cells were computed: the user may edit kSweepFile later.
inline constexpr const char* kComputedFile = "cells.toml";

/// The file of the sweep at `path`: `path` itself, the file in this folder, or, for a folder of results, the file
/// beside it; nullopt if none. A file of a sweep is TOML with a table [x].
std::optional<std::filesystem::path> sweep_file_at(const std::filesystem::path& path);

struct SweepText {
    Sweep sweep;
    std::string text;
};
/// Reads the file of a sweep, whose settings lead to the copies in its folder where an original is gone. Throws
/// InputError, naming file and place.
SweepText read_sweep(const std::filesystem::path& file, const FindExperiment& find);

/// The folder of results beside a sweep's file, with the stem of its name, as for the shipped sweeps. nullopt if none,
/// or if the results are for another experiment, other settings or axes.
std::optional<std::filesystem::path> results_beside(const std::filesystem::path& file, const Sweep& sweep,
                                                    const FindExperiment& find);

/// The sweep's cells in kCellsFile, and in kJobsFolder those that other processes have computed; outside: see
/// scores_in(). Throws InputError for an invalid file.
SweepScores cells_in(const std::filesystem::path& folder, const Sweep& sweep, size_t* outside = nullptr);

/// The cells of this sweep that the folder already holds. The number of seeds and the axes may have changed. Throws
/// InputError if the folder holds a sweep of another experiment, of other settings or axes.
SweepScores known_in(const std::filesystem::path& folder, const Sweep& sweep, const FindExperiment& find);

/// Writes the sweep, without paths of this machine, and copies of the files that its settings name, into a folder that
/// exists. Throws InputError if the folder's cells were computed from other files.
void begin_sweep_in(const std::filesystem::path& folder, const SweepText& sweep);

/// Computes the cells that `known` lacks, in a folder that exists and that no other program writes: the caller has its
/// lock. After each cell it writes kCellsFile, and calls `on_cells` with all cells. Throws what begin_sweep_in()
/// throws, and IoError.
SweepResult run_sweep_in(const std::filesystem::path& folder, const SweepText& sweep, const SweepScores& known,
                         const GridOptions& options, const std::function<void(const SweepScores&)>& on_cells = {});

}  // namespace emergence
