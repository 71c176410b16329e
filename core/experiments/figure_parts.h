#pragma once
// Parts of figures of many runs, for every experiment.

#include <functional>
#include <string>
#include <vector>

#include "core/base/bootstrap.h"
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

/// A fraction of runs with its 95 % interval (Wilson's).
struct Fraction {
    int count = 0, total = 0;
    double value = 0.0, low = 0.0, high = 0.0;
};

/// `count` of `total` with Wilson's 95 % interval.
Fraction fraction(int count, int total);

/// The fraction of a run's seeds that have emerged.
Fraction emerged_fraction(const Snapshot& snapshot);
/// "20 of 30, 95 % interval 0.49 to 0.81".
std::string fraction_text(const Fraction& fraction);

}  // namespace emergence
