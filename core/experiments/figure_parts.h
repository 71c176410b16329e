#pragma once
// What figures of many runs are put together from, whatever the experiment.

#include <string>
#include <vector>

#include "core/lab/study_grid.h"

namespace emergence {

/// The run's plot of that id (a MetricPlot of its history, or one of the snapshot's), under another title.
/// Throws InputError where there is none.
PlotSpec plot_of_run(const FinishedRun& run, const std::string& id, const std::string& title);

/// The run's matrix of that name: mean over seeds, or theory's. Throws InputError where there is none.
HeatmapSpec heatmap_of_run(const FinishedRun& run, const std::string& name, MatrixView::Mode mode);

/// A metric's last value in every seed, one row a seed as summarise() takes them; seeds that diverged are
/// left out, and with `emerged_only` those that have not emerged.
std::vector<std::vector<double>> final_values(const Snapshot& snapshot, const MetricHistory& history,
                                              const std::string& metric, bool emerged_only = false);

/// "1.54 +- 0.16": mean and standard error over seeds.
std::string mean_text(const Summary& summary);

/// A fraction of runs with its 95 % interval (Wilson's).
struct Fraction {
    int count = 0, total = 0;
    double value = 0.0, low = 0.0, high = 0.0;
};
Fraction fraction(int count, int total);
Fraction emerged_fraction(const Snapshot& snapshot);
/// "20 of 30, 95 % interval 0.49 to 0.81".
std::string fraction_text(const Fraction& fraction);

}  // namespace emergence
