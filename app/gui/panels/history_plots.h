#pragma once
// The training history at the moment that is shown, of run A and, where there is one, of run B in the same
// plots.

#include <string>
#include <utility>
#include <vector>

#include "app/gui/session/session.h"
#include "core/lab/views/structure.h"

namespace emergence {

/// The history's plot until the shown step, with a mark there while that is in the past; run B's lines as
/// overlay() adds them.
PlotSpec history_plot(const Session& session, const MetricPlot& plot, const AxisSpec& x);

/// What a plot of a matrix's structure has measured of each run in it.
struct StructureOfRuns {
    explicit StructureOfRuns(const StructurePlot& what) : plot(what), a(what), b(what) {}

    StructurePlot plot;
    StructureHistory a, b;
    /// Of overlaid runs, which do not change.
    std::vector<std::pair<std::shared_ptr<const OverlaidRun>, PlotSpec>> overlaid;
};
/// A plot of a matrix's structure over the moments of run A until the shown step, with a mark there while that is in
/// the past, of run B as overlay() adds it, and of overlaid runs as overlay_kept() does. The note names runs without
/// such a matrix.
PlotSpec structure_plot(const Session& session, StructureOfRuns& measured);

/// The snapshot's own plots, with run B's lines beside A's in those that both have.
std::vector<PlotSpec> snapshot_plots(const Session& session);

}  // namespace emergence
