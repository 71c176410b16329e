#pragma once
// The training history at the moment that is shown, of run A and, where there is one, of run B in the same
// plots.

#include <vector>

#include "app/gui/session/session.h"

namespace emergence {

/// The history's plot until the shown step, with a mark there while that is in the past; run B's lines as
/// overlay() adds them.
PlotSpec history_plot(const Session& session, const MetricPlot& plot, const AxisSpec& x);

/// The snapshot's own plots, with run B's lines beside A's in those that both have.
std::vector<PlotSpec> snapshot_plots(const Session& session);

}  // namespace emergence
