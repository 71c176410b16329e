#pragma once
// The training history at the moment that is shown, of run A and, where there is one, of run B in the same
// plots.

#include <string>
#include <utility>
#include <vector>

#include "app/gui/session/session.h"
#include "core/lab/structure.h"

namespace emergence {

/// The history's plot until the shown step, with a mark there while that is in the past; run B's lines as
/// overlay() adds them.
PlotSpec history_plot(const Session& session, const MetricPlot& plot, const AxisSpec& x);

/// A plot of a matrix's structure over the moments of run A until the shown step, with a mark there while that is in
/// the past, and of run B as overlay() adds it.
PlotSpec structure_plot(const Session& session, StructureHistory& of_a, StructureHistory& of_b);

/// The snapshot's own plots, with run B's lines beside A's in those that both have.
std::vector<PlotSpec> snapshot_plots(const Session& session);

/// Adds the solid lines of the kept runs that are drawn beside the present one: of one run dashed, in their
/// colours; with several all runs have a colour each, and all quantities a line style each. No two lines look alike.
void overlay_kept(PlotSpec& plot, const std::vector<std::pair<std::string, PlotSpec>>& kept);

/// Adds the solid lines of how the plot was before, faintly: grey and dashed.
void overlay_before(PlotSpec& plot, const PlotSpec& before);

/// Adds the lines of `of_b` to `plot`: dashed, and dotted if they are references, in colours that `plot` has not. The
/// names say whose a line is; a reference that is the same in both is there once.
void overlay(PlotSpec& plot, const PlotSpec& of_b);

}  // namespace emergence
