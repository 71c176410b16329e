#pragma once
// The figures of experiment "td" that compare runs with batch TD.

#include "core/experiments/figure_runs.h"

namespace emergence {

/// One similarity plot a run, `columns` side by side. Measures NAME-iws and NAME-ss, the least of the
/// panels' means over seeds, and NAME-vd, the largest of VD's over what it was at the start.
GridFigure similarity_figure(FigureRuns runs, const char* name, const char* number, const char* title,
                             int columns);

}  // namespace emergence
