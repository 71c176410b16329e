#pragma once
// Pictures of a sweep: the plane of two of its axes, through the shown values of the others.

#include "core/lab/sweeps/sweep_scores.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

/// The number of whole cells that the picture shows.
int count_shown(const Sweep& sweep, const SweepScores& scores);

/// The mean over the finite seeds of a cell, and its interval: of a share Wilson's 95 %, else one standard error to
/// either side. All NaN without finite seeds.
struct CellMean {
    double value = 0.0, low = 0.0, high = 0.0, standard_error = 0.0;
};
CellMean mean_of_cell(const std::vector<double>& seeds, bool share);

/// The figure of a sweep: heatmaps of the means over seeds and of their standard errors, or of shares and both ends of
/// their intervals; a curve for one axis. `score`: the sweep's, see score_of().
FigureSpec sweep_figure(const Sweep& sweep, const SweepScores& scores, const ScoreInfo& score);

}  // namespace emergence
