#pragma once
// The lines of several runs in one plot.

#include <string>
#include <utility>
#include <vector>

#include "core/pictures/figure_spec.h"

namespace emergence {

/// Adds the solid lines of the saved runs that are drawn beside the present one: of one run dashed, in their
/// colours; with several all runs have a colour each, and all quantities a line style each. No two lines look alike.
void overlay_kept(PlotSpec& plot, const std::vector<std::pair<std::string, PlotSpec>>& kept);

/// Adds the solid lines of how the plot was before: dashed, in their colours.
void overlay_before(PlotSpec& plot, const PlotSpec& before);

/// Adds the lines of `of_b` to `plot`: dashed, and dotted if they are references, in colours that `plot` has not. The
/// names say whose a line is; a reference that is the same in both is there once.
void overlay(PlotSpec& plot, const PlotSpec& of_b);
/// The same for each plot that both have.
void overlay(std::vector<PlotSpec>& plots, const std::vector<PlotSpec>& of_b);

}  // namespace emergence
