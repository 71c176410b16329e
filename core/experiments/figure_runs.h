#pragma once
// Parts of figures of whole runs, for every experiment: configurations, runs, captions.

#include <string>
#include <utility>
#include <vector>

#include "core/experiments/figure_parts.h"

namespace emergence {

/// `settings` with some fields changed.
GridConfig config_with(std::string label, Settings settings,
                       const std::vector<std::pair<const char*, FieldValue>>& changes);

/// A whole number as a setting's value.
inline FieldValue whole(int value) { return static_cast<int64_t>(value); }

/// A metric's last value over the seeds of a run.
Summary final_summary(const FinishedRun& run, const std::string& metric);

/// The runs of a figure; its cells are not made yet.
struct FigureRuns {
    std::vector<GridConfig> configs;
    StudyGrid grid;
    GridFigure result;
};
/// Runs all configurations. The result has their notices, each once.
FigureRuns run_all(const ExperimentInfo& info, std::vector<GridConfig> configs, const GridOptions& options);

/// For a caption: how plots draw curves by default.
inline constexpr const char* kMeanCurves = "mean and standard error over seeds";

/// "After Figure 4 of Wang et al. 2025. ..." with seeds, steps, the number that emerged, how curves are
/// drawn, and the version.
std::string paper_caption(const std::string& after, const FigureRuns& runs, const std::string& what,
                          const std::string& curves = kMeanCurves);
/// The same for a single run.
std::string paper_caption(const std::string& after, const Snapshot& snapshot, const std::string& what);

}  // namespace emergence
