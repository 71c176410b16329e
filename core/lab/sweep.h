#pragma once
// Phase diagrams: one score of an experiment over a grid of one or two of its fields, several seeds a cell.
//
//     experiment = "td"
//     title = "Where in-context TD emerges"
//     score = "emerged"             # the share of seeds; or a metric of the run, its last value; or a scalar
//                                   # of its snapshot, of each seed by itself
//     seeds = 8                     # a cell
//     [settings]                    # what all cells share
//     num_mrps = 2000
//     [x]
//     field = "num_layers"
//     values = [1, 2, 3, 4]
//     [y]                           # may be absent
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
    std::vector<FieldValue> values;  // each allowed, no two the same
    bool logarithmic = false;
};

struct Sweep {
    const ExperimentInfo* experiment = nullptr;
    std::string title, description;
    std::string score = "emerged";
    int seeds = 4;
    Settings settings;  // without the axes' fields and the seeds
    SweepAxis x;
    std::optional<SweepAxis> y;

    int columns() const { return static_cast<int>(x.values.size()); }
    int rows() const { return y ? static_cast<int>(y->values.size()) : 1; }
};

/// Reads a sweep. `find` gives the experiment of a name, or throws. Throws InputError, naming `source` and
/// the place, for anything that is not one, and for cells whose settings do not go together.
Sweep parse_sweep(std::string_view text, const std::string& source,
                  const std::function<const ExperimentInfo&(const std::string&)>& find);

/// The same as text, which reads back to the same sweep: settings that differ from their defaults, axes value
/// by value.
std::string sweep_to_toml(const Sweep& sweep);

/// `count` values of a number's field from one to another, evenly spaced or in even ratios; whole numbers are
/// rounded, and those that are then the same are left out.
std::vector<FieldValue> spaced_values(const FieldInfo& field, double from, double to, int count,
                                      bool logarithmic);

/// A value as a number, for files and axes: a choice by its place.
double axis_number(const Sweep& sweep, const SweepAxis& axis, const FieldValue& value);

/// The score of experiments with a rule of emergence, and how it is called.
inline constexpr const char* kEmergedScore = "emerged";
inline constexpr const char* kEmergedLabel = "share of seeds that emerged";

/// What can be a score.
struct ScoreInfo {
    std::string name, label, help;
};
/// Every score of an experiment with these settings: "emerged" where it has a rule, metrics, scalars. Makes a
/// seed and describes it at step 0. Throws what that throws.
std::vector<ScoreInfo> scores_of(const ExperimentInfo& experiment, const Settings& settings);

/// Throws InputError, naming those there are, where the sweep's score is none. Makes a seed of its first
/// cell.
void check_score(const Sweep& sweep);

/// Where a cell lies: column of x, row of y.
struct SweepCell {
    int column = 0, row = 0;
    auto operator<=>(const SweepCell&) const = default;
};
/// All cells, coarse ones first: every 2^k-th of both axes before every 2^(k-1)-th.
std::vector<SweepCell> cells_coarse_first(int columns, int rows);

/// The settings of a cell.
Settings settings_of(const Sweep& sweep, const SweepCell& cell);

/// What the sweep's score is called in legends and read-outs, as scores_of() has it; its name where that
/// cannot be found out. Costs what scores_of() costs.
std::string score_label(const Sweep& sweep);

/// One number a seed; NaN for a seed that failed. Computed from its arguments alone.
using CellScores = std::vector<double>;
CellScores score_cell(const Sweep& sweep, const SweepCell& cell, JobHandle& handle);

/// What is known of a sweep. A cell that was computed with fewer seeds has those, the first ones, until it is
/// computed anew.
using SweepScores = std::map<SweepCell, CellScores>;

/// Whether the cell has all of its seeds.
bool is_whole(const Sweep& sweep, const CellScores& scores);
/// How many have.
int count_whole(const Sweep& sweep, const SweepScores& scores);
/// Takes over what `more` knows of cells with more seeds than `scores` has.
void merge(SweepScores& scores, SweepScores more);

/// A line a cell and seed: "column,row,X,Y,seed,SCORE", X and Y as the axes' values (choices by their
/// number), with one axis without Y.
std::string sweep_csv(const Sweep& sweep, const SweepScores& scores);
/// Back from such lines, as far as their X, Y and seed belong to the sweep: it may have been extended. Throws
/// InputError, naming `source`.
SweepScores scores_in(const Sweep& sweep, std::string_view csv, const std::string& source);

/// Which of several processes this is: each has every `size`-th cell of the order, so that no two do one and
/// none needs to hear of the others.
struct SweepShare {
    int rank = 0, size = 1;
};

/// Computes the cells of this share that `known` lacks or has not whole, coarse ones first, on
/// options.threads threads; calls `keep` after every cell with all cells of the share so far, one call at a
/// time. The result does not depend on the threads.
struct SweepResult {
    SweepScores scores;
    std::vector<JobFailure> failures;
    bool stopped = false;
};
SweepResult run_sweep(const Sweep& sweep, const SweepScores& known, const GridOptions& options,
                      const std::function<void(const SweepScores&)>& keep, const SweepShare& share = {});

/// A cell by its settings: "num_layers = 3, n = 30".
std::string cell_label(const Sweep& sweep, const SweepCell& cell);

/// The picture: a heatmap of means over seeds with their standard errors beside it, or with one field a
/// curve. `score`: as score_label() has it, or "" for the name.
FigureSpec sweep_figure(const Sweep& sweep, const SweepScores& scores, const std::string& score = {});

}  // namespace emergence
