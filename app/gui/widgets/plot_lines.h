#pragma once
// A plot's data in pixels, thinned once and drawn many times: made anew only where data or view have changed.

#include <imgui.h>

#include <vector>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/plot_frame.h"
#include "core/pictures/figure_spec.h"
#include "core/pictures/obstacles.h"
#include "core/pictures/series_draw.h"

namespace emergence {

using PixelRun = std::vector<ImVec2>;  // of a line, without gaps

/// One series in pixels.
struct SeriesPixels {
    struct Band {
        PixelRun lower, upper;
    };
    std::vector<PixelRun> center, raw, highlighted, seeds;
    std::vector<Band> bands;
    std::vector<float> exits;  // where the line leaves through the top of a cut axis
    PixelRun bars;             // along the tops, from the ground and back to it
    bool scattered = false;    // the runs of `center` are points that no line joins
};

/// The series of a plot in pixels, thinned to the columns of the frame; lines are cut a little above and
/// below the axes. Empty for a series without points.
SeriesPixels pixels_of(const PlotFrame& frame, const PlotSpec& spec, const Series& series,
                       const SeriesShape& shape);

/// What stands out while the pointer is over a plot.
enum class Emphasis { normal, strong, faint };

/// Draws all series: bands and bars below, then thin lines, then centres, dashed ones on top so that two
/// lines that coincide can both be seen. `emphasis` has one entry a series.
void draw_lines(const Ui& ui, const PlotSpec& spec, const PlotFrame& frame,
                const std::vector<SeriesPixels>& pixels, const std::vector<Emphasis>& emphasis);

/// Where the lines are, for whoever looks for free room; what they did last is held to the right edge, where
/// a running curve will probably go.
Obstacles obstacles_of(const PlotFrame& frame, const std::vector<SeriesPixels>& pixels);

}  // namespace emergence
