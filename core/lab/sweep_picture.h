#pragma once
// Pictures of a sweep: the plane of two of its axes, through the shown values of the others.

#include <string>

#include "core/lab/sweep_scores.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

/// The number of whole cells that the picture shows.
int count_shown(const Sweep& sweep, const SweepScores& scores);

/// The figure of a sweep: heatmaps of the means over seeds and of their standard errors, or a curve for one axis.
/// `score`: from score_label(), or "" for the score's name.
FigureSpec sweep_figure(const Sweep& sweep, const SweepScores& scores, const std::string& score = {});

}  // namespace emergence
