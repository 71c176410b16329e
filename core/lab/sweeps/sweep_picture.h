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
    /// The seeds that the mean counts, and those that failed and that it leaves out.
    int counted = 0, failed = 0;
};
CellMean mean_of_cell(const CellScores& cell, const std::string& score, bool share);

/// The networks that failed in a sweep, and the cells that have any; "" if none did: "12 of 72 networks failed, in 3 of 9
/// cells". All cells, not only those that the picture shows.
std::string failed_text(const Sweep& sweep, const SweepScores& scores);

/// The figure of a sweep: heatmaps of the means over seeds and of their standard errors, or of shares and both ends of
/// their intervals; a curve for one axis. `score`: the sweep's, see score_of(). A cell in which networks failed has no
/// mean and is marked: those that survived are no sample of all.
FigureSpec sweep_figure(const Sweep& sweep, const SweepScores& scores, const ScoreInfo& score);

}  // namespace emergence
