#pragma once
// A sweep as it lies in its folder: what it is, and the cells that have been computed, by however many
// processes. Window and command line go on with each other's.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/lab/find_experiment.h"
#include "core/lab/sweep.h"

namespace emergence {

inline constexpr const char* kSweepFile = "sweep.toml";
inline constexpr const char* kCellsFile = "cells.csv";
/// The sweep as it was when the cells were computed: kSweepFile may be edited later.
inline constexpr const char* kComputedFile = "cells.toml";

/// The sweep that `path` is: a file of it, or a folder that holds one; nothing where it is none. A file
/// counts where it is TOML with a table [x].
std::optional<std::filesystem::path> sweep_file_at(const std::filesystem::path& path);

/// Reads a sweep's file. Throws InputError, naming file and place.
struct SweepText {
    Sweep sweep;
    std::string text;
};
SweepText read_sweep(const std::filesystem::path& file, const FindExperiment& find);

/// Whether they differ in nothing but places, seeds and what they are called: cells of one serve the other.
bool same_but_for_places(const Sweep& a, const Sweep& b);

/// The folder of results that lies beside a sweep's file under its name, as the sweeps that ship have it;
/// nothing where there is none, or it is of another experiment, score or other settings.
std::optional<std::filesystem::path> results_beside(const std::filesystem::path& file, const Sweep& sweep,
                                                    const FindExperiment& find);

/// The cells in all files of the folder that belong to the sweep, whoever wrote them. Throws InputError.
SweepScores cells_in(const std::filesystem::path& folder, const Sweep& sweep);

/// What the folder already has of this sweep. Another number of seeds or other places are welcome. Throws
/// InputError where it holds a sweep of another experiment, score or other settings.
SweepScores known_in(const std::filesystem::path& folder, const Sweep& sweep, const FindExperiment& find);

/// Computes what `known` lacks of the share, keeping the cells in the folder (which exists) after each, and
/// calls `on_cells` with those of the share. Once all cells of the sweep are there they are in kCellsFile; a
/// sweep that was stopped writes nothing more. Throws IoError.
SweepResult run_sweep_in(const std::filesystem::path& folder, const SweepText& sweep,
                         const SweepScores& known, const GridOptions& options, const SweepShare& share = {},
                         const std::function<void(const SweepScores&)>& on_cells = {});

/// The file in which a process keeps its cells.
std::string cells_file(const SweepShare& share);

}  // namespace emergence
