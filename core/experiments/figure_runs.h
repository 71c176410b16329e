#pragma once
// What figures of whole runs share, whatever the experiment: their configurations, runs and captions.

#include <string>
#include <utility>
#include <vector>

#include "core/experiments/figure_parts.h"

namespace emergence {

/// `settings` with some fields changed.
GridConfig config_with(std::string label, Settings settings,
                       const std::vector<std::pair<const char*, FieldValue>>& changes);
inline FieldValue whole(int value) { return static_cast<int64_t>(value); }

/// A metric's last value over the seeds of a run.
Summary final_summary(const FinishedRun& run, const std::string& metric);

/// The runs of a figure that still has no cells.
struct FigureRuns {
    std::vector<GridConfig> configs;
    StudyGrid grid;
    GridFigure result;
};
/// Their notices, each once, are the result's.
FigureRuns run_all(const ExperimentInfo& info, std::vector<GridConfig> configs, const GridOptions& options);

/// How curves are drawn, for a caption: what is there unless a plot asks for something else.
inline constexpr const char* kMeanCurves = "mean and standard error over seeds";

/// "After Figure 4 of Wang et al. 2025. ..." with seeds, steps, how many emerged, how curves are drawn, and
/// version.
std::string paper_caption(const std::string& after, const FigureRuns& runs, const std::string& what,
                          const std::string& curves = kMeanCurves);
/// The same for a single run.
std::string paper_caption(const std::string& after, const Snapshot& snapshot, const std::string& what);

}  // namespace emergence
