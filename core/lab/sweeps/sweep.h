#pragma once
// Sweeps: the scores of an experiment over a grid of any number of its fields, with several seeds per cell. Their
// files: assets/handbook/lab/sweeps.md.

#include <map>

#include "core/lab/jobs/job_grid.h"
#include "core/lab/quantity/quantity.h"
#include "core/lab/store/checkpoint.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

struct SweepAxis {
    std::string field;
    /// All allowed, no two equal. No files.
    std::vector<FieldValue> values;
    bool logarithmic = false;
    /// For an axis beyond the second: the place of the value at which pictures cut.
    int shown = 0;
};

struct Sweep {
    const ExperimentInfo* experiment = nullptr;
    std::string title, description;
    /// The score that pictures show. All scores of a cell are saved, whichever is chosen.
    std::string score = "emerged";
    int seeds = 4;
    /// The settings of all cells; settings_of() replaces the fields of the axes and the number of seeds.
    Settings settings;
    /// At least one. Pictures show the first across, the second down, and the others at their shown value.
    std::vector<SweepAxis> axes;

    const SweepAxis& x() const { return axes[0]; }
    /// Null if there is one axis.
    const SweepAxis* y() const { return axes.size() > 1 ? &axes[1] : nullptr; }
    /// Places of x and y.
    int columns() const { return static_cast<int>(x().values.size()); }
    int rows() const { return y() != nullptr ? static_cast<int>(y()->values.size()) : 1; }
    int cells() const;
    /// The axis of this field; null if there is none.
    const SweepAxis* axis(std::string_view field) const;
};

/// Parses a sweep. find: gives the experiment of a name, or throws. places: may change the paths among the shared
/// settings before they are checked. Throws InputError, naming `source` and the place, if `text` is not a sweep, and
/// InputError if the settings of a cell contradict each other.
Sweep parse_sweep(std::string_view text, const std::string& source, const FindExperiment& find,
                  const std::function<void(Settings&)>& places = {});

/// The text of a sweep, which reads back to the same sweep: settings that differ from their defaults, and every value
/// of the axes. whole_paths: for this machine; otherwise paths are as in Settings::shown().
std::string sweep_to_toml(const Sweep& sweep, bool whole_paths = false);

/// An axis as people type it: "1, 2, 3", or "0.1:1:5:log", 5 values from 0.1 to 1 in equal ratios ("linear": evenly;
/// without the word: like the field's slider). Throws InputError.
SweepAxis parse_axis(const FieldInfo& field, std::string_view text);

/// `count` values of a numeric field from `from` to `to`, evenly spaced or, if `logarithmic`, in equal ratios. Rounds
/// the values of whole-number fields and omits duplicates.
std::vector<FieldValue> spaced_values(const FieldInfo& field, double from, double to, int count, bool logarithmic);

/// A value as a number, for axes of plots: a flag as 0 or 1, a choice as its index.
double axis_number(const Sweep& sweep, const SweepAxis& axis, const FieldValue& value);

/// A cell: the place of its value on each axis.
using SweepCell = std::vector<int>;
/// All cells, coarse ones first: every 2^k-th of all axes before every 2^(k-1)-th.
std::vector<SweepCell> cells_coarse_first(const Sweep& sweep);

/// The cell that a picture shows at this place of x and y.
SweepCell shown_cell(const Sweep& sweep, int column, int row);

Settings settings_of(const Sweep& sweep, const SweepCell& cell);
/// A title for a sweep without one, and a name for its folder: "td-num_layers-n". `label`: of its score.
std::string default_title(const Sweep& sweep, const std::string& label);
std::string folder_name(const Sweep& sweep);

/// True if the sweeps have the same experiment and settings (files by their last names), and axes over the same fields:
/// the cells of one then serve the other. They may differ in the values and the order of their axes, in score, seeds
/// and titles.
bool same_but_for_places(const Sweep& a, const Sweep& b);

// The results of a sweep: every score of every seed of every cell.

/// The score of experiments with a rule of emergence, and the column with the step of emergence.
inline constexpr const char* kEmergedScore = "emerged";
inline constexpr const char* kEmergedAtColumn = "emerged_at";
/// 1 for a seed that failed, otherwise 0. All other scores of a failed seed are NaN.
inline constexpr const char* kFailedScore = "failed";

struct ScoreInfo {
    std::string name, label, help;
    /// Each seed has 0 or 1, so that the mean over seeds is a share.
    bool share = false;
};
/// All scores of an experiment with these settings: "emerged" if it has a rule, metrics, scalars. Makes a seed and
/// describes it at step 0; throws what that throws.
std::vector<ScoreInfo> scores_of(const ExperimentInfo& experiment, const Settings& settings);

/// A score that is not one of these names: a quantity without reductions, such as "metric msve at 800 / metric msve
/// first". Throws InputError.
Quantity score_quantity(const std::string& score);

/// Throws InputError if the sweep's score is neither a name among scores_of() nor a quantity. Makes a seed of the first
/// cell.
void check_score(const Sweep& sweep);

/// The sweep's score among `listed`, with a label for legends and read-outs: its name if it is not listed.
ScoreInfo score_of(const Sweep& sweep, const std::vector<ScoreInfo>& listed);
/// The same among scores_of(), which takes time; among none if that throws.
ScoreInfo score_of(const Sweep& sweep);

/// The scores of one seed by their names, in the order of scores_of(): "emerged" (1 or 0) and, after 1, the step of
/// that; the last value of each metric; the scalars; the sweep's score if it is another; "failed", the only one that is
/// not NaN for a failed seed.
using SeedScores = std::vector<std::pair<std::string, double>>;
using CellScores = std::vector<SeedScores>;
/// The computed cells of a sweep. A cell that was computed with fewer seeds holds the first ones until it is computed
/// again.
using SweepScores = std::map<SweepCell, CellScores>;

/// Each seed's score of this name; NaN if it has none.
std::vector<double> values_of(const CellScores& scores, const std::string& score);
/// The number of seeds of a cell that failed and so have no such score.
int count_failed(const CellScores& scores, const std::string& score);

/// True if the cell has all of its seeds, each with the sweep's score.
bool is_whole(const Sweep& sweep, const CellScores& scores);
/// The number of cells that are whole.
int count_whole(const Sweep& sweep, const SweepScores& scores);
/// Takes from `more` the seeds and the scores that `scores` lacks.
void merge(SweepScores& scores, SweepScores more);

/// The scores as CSV, one line per cell and seed, with the fields of the axes as a person writes their values:
///
///     num_layers,n,seed,emerged,emerged_at,loss,...
///
/// A missing score is empty. The column of a score with the name of an axis is called "NAME (score)".
std::string sweep_csv(const Sweep& sweep, const SweepScores& scores);
/// Reads such lines back, with the axes in any order. Lines whose values or seed the sweep no longer has, and lines of a
/// cell whose seeds do not follow each other from 0, are skipped and counted in `outside`, because writing the sweep's
/// cells would lose them. Throws InputError, naming `source`.
SweepScores scores_in(const Sweep& sweep, std::string_view csv, const std::string& source, size_t* outside = nullptr);

// Pictures of a sweep: a plane of two axes, cut at one value of each other axis.

/// The mean over the finite seeds of a cell, and its interval: of a share Wilson's 95 %, else one standard error to
/// either side. All NaN without finite seeds.
struct CellMean {
    double value = 0.0, low = 0.0, high = 0.0, standard_error = 0.0;
    /// The number of seeds that failed and are not in the mean.
    int failed = 0;
};
CellMean mean_of_cell(const CellScores& cell, const std::string& score, bool share);

/// "12 of 72 networks failed, in 3 of 9 cells": counts all cells, not only those that the picture shows. "" if no
/// network failed.
std::string failed_text(const Sweep& sweep, const SweepScores& scores);

/// The figure of a sweep: heatmaps of the means over seeds and of their standard errors, or of shares and both ends of
/// their intervals; a curve for one axis. `score`: the sweep's, see score_of(). A cell in which networks failed has no
/// mean and is marked: the networks that survived are a biased sample.
FigureSpec sweep_figure(const Sweep& sweep, const SweepScores& scores, const ScoreInfo& score);

struct SweepResult : GridOutcome {
    /// The known and the computed cells.
    SweepScores scores;
};
/// Computes the cells that `known` lacks or has incomplete, coarse ones first, on options.threads threads. After each
/// cell it calls `on_cell`, one call at a time. The result does not depend on the threads. Throws what `on_cell`
/// throws: then no further cell begins.
SweepResult run_sweep(const Sweep& sweep, const SweepScores& known, const GridOptions& options,
                      const std::function<void(const SweepCell&, const CellScores&)>& on_cell = {});

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
