#pragma once
// How the reading of a plot is drawn.

#include <imgui.h>

#include <vector>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/plot_frame.h"
#include "core/pictures/describe.h"

namespace emergence {

/// The upright line, and a dot on each series.
void draw_crosshair(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame, const PlotReading& reading);
/// The read-out beside the upright line, never on it. `size` is the read-out's own, kept between frames.
void draw_readout(const Ui& ui, const PlotSpec& spec, const std::vector<SeriesShape>& shapes, const PlotFrame& frame,
                  const PlotReading& reading, ImVec2& size);

}  // namespace emergence
