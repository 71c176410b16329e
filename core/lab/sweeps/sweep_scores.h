#pragma once
// What the cells of a sweep came to: every score of every seed.

#include "core/base/array.h"
#include "core/lab/quantity/quantity.h"
#include "core/lab/sweeps/sweep.h"

namespace emergence {

/// The score of experiments with a rule of emergence, its label, and the column with the step of emergence.
inline constexpr const char* kEmergedScore = "emerged";
inline constexpr const char* kEmergedLabel = "share of seeds that emerged";
inline constexpr const char* kEmergedAtColumn = "emerged_at";
/// 1 of a seed that failed, otherwise 0: the only score that a failed seed has.
inline constexpr const char* kFailedScore = "failed";
inline constexpr const char* kFailedLabel = "share of seeds that failed";

/// A possible score.
struct ScoreInfo {
    std::string name, label, help;
    /// Each seed has 0 or 1, so that the mean over seeds is a share.
    bool share = false;
};
/// All scores of an experiment with these settings: "emerged" if it has a rule, metrics, scalars. Makes a seed and
/// describes it at step 0; throws what that throws.
std::vector<ScoreInfo> scores_of(const ExperimentInfo& experiment, const Settings& settings);

/// A score that none of these names is: a quantity without reductions, such as "metric msve at 800 / metric msve first".
/// Throws InputError.
Quantity score_quantity(const std::string& score);

/// Throws InputError if the sweep's score is no name of those of scores_of() and no quantity. Makes a seed of its first
/// cell.
void check_score(const Sweep& sweep);
/// The same, of a moment of a seed.
void check_score_of(const Sweep& sweep, const Snapshot& snapshot, const MetricHistory& history);

/// The sweep's score among `listed`, with a label for legends and read-outs: its name if it is not listed.
ScoreInfo score_of(const Sweep& sweep, const std::vector<ScoreInfo>& listed);
/// The same among scores_of(), and costs as much; of none if that throws.
ScoreInfo score_of(const Sweep& sweep);

/// The scores of one seed by their names, in the order of scores_of(): "emerged" (1 or 0) and, after 1, the step of
/// that; the last value of each metric; the scalars; the sweep's score if it is another; "failed", the only one that is
/// not NaN for a failed seed.
using SeedScores = std::vector<std::pair<std::string, double>>;
/// Null if no score has this name.
const double* find_score(const SeedScores& seed, const std::string& score);
/// One per seed.
using CellScores = std::vector<SeedScores>;
/// The computed cells of a sweep. A cell that was computed with fewer seeds holds those, the first ones, until it is
/// computed again.
using SweepScores = std::map<SweepCell, CellScores>;

/// The score of this name of each seed; NaN if it has none.
std::vector<double> values_of(const CellScores& scores, const std::string& score);
/// The seeds of a cell that failed and so have no such score. Lines of earlier versions do not say "failed": a seed without
/// any number did.
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
/// A score that a cell does not have is empty. The column of a score that is called as an axis is "NAME (score)".
std::string sweep_csv(const Sweep& sweep, const SweepScores& scores);
/// Reads such lines back, with the axes in any order. Ignores lines whose values or seed the sweep does not have,
/// because it may have changed since. Throws InputError, naming `source`.
SweepScores scores_in(const Sweep& sweep, std::string_view csv, const std::string& source);
/// The number of such lines that scores_in() ignores: they would be lost if the sweep's cells replaced the file.
size_t lines_outside(const Sweep& sweep, std::string_view csv, const std::string& source);

/// The scores as arrays. Missing ones are NaN.
///
///     axis 0 FIELD    its values, as axis_number() gives them; axis 1 FIELD, ...
///     SCORE           places of axis 0 x places of axis 1 x ... x seeds
ArrayMap sweep_arrays(const Sweep& sweep, const SweepScores& scores);

}  // namespace emergence
