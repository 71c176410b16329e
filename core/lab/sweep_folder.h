#pragma once
// The folder of a sweep: its file, and the cells that one or more processes have computed. Window and command line can
// resume each other's sweeps.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/lab/find_experiment.h"
#include "core/lab/sweep.h"

namespace emergence {

inline constexpr const char* kSweepFile = "sweep.toml";
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
/// Reads the file of a sweep. Throws InputError, naming file and place.
SweepText read_sweep(const std::filesystem::path& file, const FindExperiment& find);

/// True if the sweeps have the same experiment, score and settings: the cells of one then serve the other. They may
/// differ in the values of their axes, in seeds and in titles.
bool same_but_for_places(const Sweep& a, const Sweep& b);

/// The folder of results beside a sweep's file, with the stem of its name, as for the shipped sweeps. nullopt if none,
/// or if the results are for another experiment, score or settings.
std::optional<std::filesystem::path> results_beside(const std::filesystem::path& file, const Sweep& sweep,
                                                    const FindExperiment& find);

/// The sweep's cells in all files of the folder, from all processes. Throws InputError for an invalid file.
SweepScores cells_in(const std::filesystem::path& folder, const Sweep& sweep);
/// The number of lines in these files that are not the sweep's and that writing its cells there would lose. Throws
/// InputError for an invalid file.
size_t lines_outside_in(const std::filesystem::path& folder, const Sweep& sweep);

/// The cells of this sweep that the folder already holds. The number of seeds and the axes may have changed. Throws
/// InputError if the folder holds a sweep of another experiment, score or settings.
SweepScores known_in(const std::filesystem::path& folder, const Sweep& sweep, const FindExperiment& find);

/// Computes the cells of the share that `known` lacks. After each it saves the cells of the share in the folder, which
/// exists, and calls `on_cells` with them. Once all cells of the sweep are computed, it collects them in kCellsFile,
/// unless it was stopped. Throws IoError.
SweepResult run_sweep_in(const std::filesystem::path& folder, const SweepText& sweep,
                         const SweepScores& known, const GridOptions& options, const SweepShare& share = {},
                         const std::function<void(const SweepScores&)>& on_cells = {});

/// The name of the file in which a process saves its cells.
std::string cells_file(const SweepShare& share);

}  // namespace emergence
