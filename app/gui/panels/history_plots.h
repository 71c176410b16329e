#pragma once
// The training history at the moment that is shown, of run A and, where there is one, of run B in the same
// plots.

#include <vector>

#include "app/gui/session.h"

namespace emergence {

/// The history's plot until the shown step, with a mark there while that is in the past. Run B's lines have
/// the colours of A's and are dashed; what is dashed in A already, the companions, is drawn for A alone.
PlotSpec history_plot(const Session& session, const MetricPlot& plot, const AxisSpec& x);

/// The snapshot's own plots, with run B's lines beside A's in those that both have.
std::vector<PlotSpec> snapshot_plots(const Session& session);

/// Adds the solid lines of `of_b` to `plot`, dashed.
void overlay(PlotSpec& plot, const PlotSpec& of_b);

}  // namespace emergence
