#pragma once
// Sweeps: one score of an experiment over a grid of one or two of its fields, with several seeds per cell.
//
//     experiment = "td"
//     title = "Where in-context TD emerges"
//     score = "emerged"             # the share of seeds; or a metric of the run (its last value);
//                                   # or a scalar of the snapshot of each seed
//     seeds = 8                     # per cell
//
//     [settings]                    # of all cells
//     num_mrps = 2000
//
//     [x]
//     field = "num_layers"
//     values = [1, 2, 3, 4]
//
//     [y]                           # optional
//     field = "n"
//     from = 5
//     to = 80
//     count = 9
//     scale = "log"                 # or "linear"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lab/job_grid.h"
#include "core/lab/study.h"

namespace emergence {

struct SweepAxis {
    std::string field;
    /// All allowed, no two equal.
    std::vector<FieldValue> values;
    bool logarithmic = false;
};

struct Sweep {
    const ExperimentInfo* experiment = nullptr;
    std::string title, description;
    std::string score = "emerged";
    int seeds = 4;
    /// The settings of all cells; settings_of() replaces the fields of the axes and the number of seeds.
    Settings settings;
    SweepAxis x;
    std::optional<SweepAxis> y;

    int columns() const { return static_cast<int>(x.values.size()); }
    int rows() const { return y ? static_cast<int>(y->values.size()) : 1; }
};

/// Parses a sweep. `find` gives the experiment of a name, or throws. Throws InputError, naming `source` and the place,
/// if `text` is not a sweep, and InputError if the settings of a cell contradict each other.
Sweep parse_sweep(std::string_view text, const std::string& source,
                  const std::function<const ExperimentInfo&(const std::string&)>& find);

/// The text of a sweep, which reads back to the same sweep: settings that differ from their defaults, and every value
/// of the axes.
std::string sweep_to_toml(const Sweep& sweep);

/// `count` values of a numeric field from `from` to `to`, evenly spaced or, if `logarithmic`, in equal ratios. Rounds
/// the values of whole-number fields and omits duplicates.
std::vector<FieldValue> spaced_values(const FieldInfo& field, double from, double to, int count,
                                      bool logarithmic);

/// A value as a number, for files and axes: a flag as 0 or 1, a choice as its index.
double axis_number(const Sweep& sweep, const SweepAxis& axis, const FieldValue& value);

/// The score of experiments with a rule of emergence, and its label.
inline constexpr const char* kEmergedScore = "emerged";
inline constexpr const char* kEmergedLabel = "share of seeds that emerged";

/// A possible score.
struct ScoreInfo {
    std::string name, label, help;
};
/// All scores of an experiment with these settings: "emerged" if it has a rule, metrics, scalars. Makes a seed and
/// describes it at step 0; throws what that throws.
std::vector<ScoreInfo> scores_of(const ExperimentInfo& experiment, const Settings& settings);

/// Throws InputError, naming the available scores, if the sweep's score is not one of them. Makes a seed of its first
/// cell.
void check_score(const Sweep& sweep);

/// The place of a cell: column of x, row of y.
struct SweepCell {
    int column = 0, row = 0;
    auto operator<=>(const SweepCell&) const = default;
};
/// All cells, coarse ones first: every 2^k-th of both axes before every 2^(k-1)-th.
std::vector<SweepCell> cells_coarse_first(int columns, int rows);

/// The settings of a cell.
Settings settings_of(const Sweep& sweep, const SweepCell& cell);

/// The label of the sweep's score for legends and read-outs, from scores_of(); its name if scores_of() throws or does
/// not list it. Costs as much as scores_of().
std::string score_label(const Sweep& sweep);

/// One number per seed; NaN for a failed seed.
using CellScores = std::vector<double>;
/// Trains the seeds of a cell and scores them. The result depends on `sweep` and `cell` alone. Throws InputError if the
/// sweep's score does not exist.
CellScores score_cell(const Sweep& sweep, const SweepCell& cell, JobHandle& handle);

/// The computed cells of a sweep. A cell that was computed with fewer seeds holds those, the first ones, until it is
/// computed again.
using SweepScores = std::map<SweepCell, CellScores>;

/// True if the cell has all of its seeds.
bool is_whole(const Sweep& sweep, const CellScores& scores);
/// The number of cells that have all of their seeds.
int count_whole(const Sweep& sweep, const SweepScores& scores);
/// Takes from `more` the cells that have more seeds there than in `scores`.
void merge(SweepScores& scores, SweepScores more);

/// The scores as CSV, one line per cell and seed:
///
///     column,row,X,Y,seed,SCORE
///
/// X and Y are the fields of the axes, with values as axis_number() gives them; a sweep of one axis has no Y.
std::string sweep_csv(const Sweep& sweep, const SweepScores& scores);
/// Reads such lines back. Ignores lines whose X, Y or seed the sweep does not have, because it may have changed since.
/// Throws InputError, naming `source`.
SweepScores scores_in(const Sweep& sweep, std::string_view csv, const std::string& source);
/// The number of such lines that scores_in() ignores: they would be lost if the sweep's cells replaced the file.
size_t lines_outside(const Sweep& sweep, std::string_view csv, const std::string& source);

/// One of several processes: each computes every `size`-th cell of the order, so that no two compute the same cell and
/// none needs to communicate.
struct SweepShare {
    int rank = 0, size = 1;
};

struct SweepResult {
    SweepScores scores;
    std::vector<JobFailure> failures;
    bool stopped = false;
};
/// Computes the cells of this share that `known` lacks or has with too few seeds, coarse ones first, on options.threads
/// threads. After every cell it calls `keep` with all cells of the share so far, one call at a time. The result does
/// not depend on the threads.
SweepResult run_sweep(const Sweep& sweep, const SweepScores& known, const GridOptions& options,
                      const std::function<void(const SweepScores&)>& keep, const SweepShare& share = {});

/// The name of a cell, from its settings: "num_layers = 3, n = 30".
std::string cell_label(const Sweep& sweep, const SweepCell& cell);

/// The figure of a sweep: heatmaps of the means over seeds and of their standard errors, or a curve for one axis.
/// `score`: from score_label(), or "" for the score's name.
FigureSpec sweep_figure(const Sweep& sweep, const SweepScores& scores, const std::string& score = {});

}  // namespace emergence
