#pragma once
// Parts of figures of many runs, for every experiment.

#include <functional>
#include <string>
#include <vector>

#include "core/base/bootstrap.h"
#include "core/base/fraction.h"
#include "core/lab/study_grid.h"

namespace emergence {

/// The run's plot `id`, from its history or its snapshot, under another title, and under the name `as` unless
/// that is "". Throws InputError if the run has none.
PlotSpec plot_of_run(const FinishedRun& run, const std::string& id, const std::string& title,
                     const std::string& as = "");

/// The run's matrix `name`, as `mode` says: the mean over seeds, or theory's. Throws InputError if the run
/// has none.
HeatmapSpec heatmap_of_run(const FinishedRun& run, const std::string& name, MatrixView::Mode mode);

/// The number `name` of the run's snapshot. Throws InputError if it has none.
const Scalar& scalar_of(const FinishedRun& run, const std::string& name);

/// A metric's last value per seed, one row each, as summarise() expects. Leaves out seeds that diverged, and
/// with `emerged_only` seeds that have not emerged.
std::vector<std::vector<double>> final_values(const Snapshot& snapshot, const MetricHistory& history,
                                              const std::string& metric, bool emerged_only = false);
/// The same of a run, summarised over its seeds.
Summary final_summary(const FinishedRun& run, const std::string& metric, bool emerged_only = false);

/// All logged values of a metric, a row for each seed that did not diverge.
std::vector<std::vector<double>> logged_values(const FinishedRun& run, const std::string& metric);

/// A metric's values at a logged row, or at the last one of a shorter history; in the order of final_values().
std::vector<std::vector<double>> values_at(const FinishedRun& run, const std::string& metric, size_t row);

/// All places of a list of `count`.
Places all_places(size_t count);
/// The summary of a column of the rows at these places, for statistics of bootstrapped().
Summary summary_at(const std::vector<std::vector<double>>& rows, const Places& places, size_t column = 0);
/// A statistic of `count` seeds (or chains, or MDPs) with n and its 95 % bootstrap interval; one seed has no interval.
/// statistic: of their places.
Measurement bootstrapped(size_t count, const std::function<double(const Places&)>& statistic,
                         const std::string& detail = "");

/// "1.54 +- 0.16": mean and standard error over seeds.
std::string mean_text(const Summary& summary);

/// The fraction of a run's seeds that have emerged.
Fraction emerged_fraction(const Snapshot& snapshot);
/// The seeds that have emerged, one after the other.
std::vector<bool> emerged_seeds(const Snapshot& snapshot);
/// Adds the share of the seeds of which something holds at `x`, as rows of 0 and 1.
void add_share(double x, const std::vector<bool>& holds, Series& series);

}  // namespace emergence
