#pragma once
// What the figures of experiment "td" share: their runs, captions and similarity plots.

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
FigureRuns run_all(const ExperimentInfo& info, std::vector<GridConfig> configs, const GridOptions& options);

/// "After Figure 4 of Wang et al. 2025. ..." with seeds, steps, how many emerged, and version.
std::string paper_caption(const char* after, const FigureRuns& runs, const char* what);
/// The same for a single run.
std::string paper_caption(const char* after, const Snapshot& snapshot, const char* what);

/// One similarity plot a run, `columns` side by side. Measures NAME-iws and NAME-ss, the least of the
/// panels' means over seeds, and NAME-vd, the largest of VD's over what it was at the start.
GridFigure similarity_figure(FigureRuns runs, const char* name, const char* number, const char* title,
                             int columns);

}  // namespace emergence
