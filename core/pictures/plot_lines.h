#pragma once
// The series of a plot where they are drawn: thinned once and drawn many times.

#include "core/pictures/obstacles.h"
#include "core/pictures/plot_place.h"
#include "core/pictures/series_draw.h"

namespace emergence {

/// A line without gaps.
using PointRun = std::vector<Point>;

/// One series on the page or in the window.
struct SeriesLines {
    struct Band {
        PointRun lower, upper;
    };
    std::vector<PointRun> center, raw, highlighted, seeds;
    std::vector<Band> bands;
    /// Where the line leaves through the top of a cut axis.
    std::vector<double> exits;
    /// Along the tops, from the ground and back to it.
    PointRun bars;
    /// The runs of `center` are points that no line joins, with their indices in the series.
    bool scattered = false;
    std::vector<size_t> indices;
};

/// The series of `plot`, whose axes have limits, thinned to `columns` columns per length; lines are cut a little above
/// and below the axes. Empty for a series without points.
std::vector<SeriesLines> lay_out_lines(const PlotSpec& plot, const std::vector<SeriesShape>& shapes,
                                       const PlotPlace& place, double columns, const PlotStyle& style);

/// The parts of a line whose height lies in [low, high], cut where it enters and leaves. In doubles, since a diverged
/// run's errors are further away than dashes can reach. x, y: finite.
std::vector<PointRun> clip_to_band(const std::vector<double>& x, const std::vector<double>& y, double low, double high);

/// Where the lines are, for what needs free room.
void add_lines(const std::vector<SeriesLines>& lines, const Rect& area, Obstacles& obstacles);

/// The names of labelled points.
void add_point_labels(const PlotSpec& plot, const std::vector<SeriesLines>& lines, const PlotPlace& place,
                      const PictureStyle& style, const TextRuler& ruler, Obstacles& obstacles);

/// The emphasis of a series while the pointer is over the legend.
enum class Emphasis { normal, strong, faint };

/// Draws all series: bands and bars below, then thin lines, then centres, dashed ones on top so that two lines that
/// coincide can both be seen. `emphasis` has one entry per series.
void draw_lines(Pen& pen, const PlotSpec& plot, const PlotPlace& place, const std::vector<SeriesLines>& lines,
                const std::vector<Emphasis>& emphasis, const PictureStyle& style);

}  // namespace emergence
