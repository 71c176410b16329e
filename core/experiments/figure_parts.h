#pragma once
// Parts of figures of many runs, for every experiment.

#include <string>
#include <vector>

#include "core/base/statistics.h"
#include "core/lab/quantity/quantity.h"
#include "core/lab/runs/run.h"

namespace emergence {

/// The run's plot `id`, from its history or its snapshot, under another title and under the name `as`; its own
/// if they are "". Throws InputError if the run has none.
PlotSpec plot_of_run(const FinishedRun& run, const std::string& id, const std::string& title,
                     const std::string& as = "");

/// The run's matrix `name`, as `mode` says: the mean over seeds, or theory's. Throws InputError if the run has none.
HeatmapSpec heatmap_of_run(const FinishedRun& run, const std::string& name, MatrixView::Mode mode);

/// The number `name` of the run's snapshot. Throws InputError if it has none.
const Scalar& scalar_of(const FinishedRun& run, const std::string& name);

/// A row of numbers for each seed of a run that did not diverge, in the run's order; NaN for a number that is missing.
/// Rows of different metrics of one run belong together; those of different runs do not.
using SeedRows = std::vector<std::vector<double>>;

/// The places of the seeds that have not diverged, in the snapshot and in its history. A seed's number is no place: runs
/// may be numbered 5 and 7.
std::vector<size_t> live_seeds(const Snapshot& snapshot);

/// A metric's last value, as summarise() expects; with `emerged_only` of the seeds that have emerged.
SeedRows final_values(const Snapshot& snapshot, const MetricHistory& history, const std::string& metric,
                      bool emerged_only = false);
SeedRows final_values(const FinishedRun& run, const std::string& metric);
/// The same of a run, summarised over its seeds.
Summary final_summary(const FinishedRun& run, const std::string& metric, bool emerged_only = false);

/// All logged values of a metric.
SeedRows logged_values(const FinishedRun& run, const std::string& metric);

/// Adds a point with the first number of each row. Rows that are shorter or fewer than before get gaps.
void add_point(Series& series, double x, const SeedRows& values);

/// The largest and the least; NaN if one of the values is NaN, or without values.
double largest_of(const std::vector<double>& values);
double least_of(const std::vector<double>& values);

/// The summary of a column of the rows at these places, for statistics of bootstrapped().
Summary summary_at(const std::vector<std::vector<double>>& rows, const Places& places, size_t column = 0);
/// "1.54 +- 0.16": mean and standard error over seeds.
std::string mean_text(const Summary& summary);

/// The fraction of a run's seeds that have emerged.
Fraction emerged_fraction(const Snapshot& snapshot);
/// The seeds that have emerged, one after the other.
std::vector<bool> emerged_seeds(const Snapshot& snapshot);
/// Adds the share of the seeds of which something holds at `x`, as rows of 0 and 1.
void add_share(double x, const std::vector<bool>& holds, Series& series);

}  // namespace emergence
