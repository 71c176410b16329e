#pragma once
// The map of algorithms for networks with a mask of traces and for two heads (measures/map_sums.h, MapAxis): beta as ever,
// and in place of c the lambda of traces, or how much of the mean reward is subtracted.

#include <string>
#include <vector>

#include "core/experiments/in_context_td/seed/td_metrics.h"
#include "core/measures/map_sums.h"

namespace emergence {

/// A place in words, and what it is called where seeds are counted.
std::string words_of_masked_place(MapAxis axis, const MapPlace& place);
/// Whether a place is that of the network's own algorithm, whose second coordinate is `own`: both coordinates to within
/// 0.4 of the mean reward, 0.25 of lambda. Ours; no bench has calibrated it. A single layer does not determine beta.
bool is_own_masked_place(MapAxis axis, int layers, const MapPlace& place, double own);

/// Adds the place, the shares that the own construction and TD(0) leave unexplained, and lambda of a learned mask.
void add_masked_map_metrics(const InContextTdConfig& config, Metrics<TdMeasured>& metrics);
/// The plane.
MetricPlot masked_map_plot(const InContextTdConfig& config);
/// Adds the entries of two heads in front, what the own construction and TD(0) leave unexplained, and a learned lambda.
void add_masked_plots(const InContextTdConfig& config, std::vector<MetricPlot>& plots);

}  // namespace emergence
