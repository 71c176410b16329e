#pragma once
// The figures of experiment "td" that compare runs with batch TD.

#include "core/experiments/figure_runs.h"

namespace emergence {

/// One similarity plot per run, in `columns` columns. Measures NAME-iws and NAME-ss, the least of the panels'
/// means over seeds, and NAME-vd, the largest ratio of final to initial VD.
GridFigure similarity_figure(FigureRuns runs, const char* name, const char* number, const char* title,
                             int columns);

}  // namespace emergence
