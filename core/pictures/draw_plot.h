#pragma once
// Lays out and draws a plot: its axes, its data, reference lines and shaded ranges with labels that keep off each
// other, and the entries of its legend.

#include "core/pictures/axis.h"
#include "core/pictures/figure_spec.h"
#include "core/pictures/pen.h"

namespace emergence {

// Where a plot's data and axes lie on the page or in the window.

/// Maps one axis between data and places.
struct AxisMap {
    std::pair<double, double> range{0.0, 1.0};
    Scale scale = Scale::linear;
    double first = 0.0, last = 1.0;

    /// NaN if the value cannot be shown (not finite, or not positive on a logarithmic axis).
    double place(double value) const {
        return first + axis_fraction(value, range.first, range.second, scale) * (last - first);
    }
    double value(double place) const {
        return axis_value((place - first) / (last - first), range.first, range.second, scale);
    }
};

struct PlotPlace {
    Rect area;  // inside the axes
    AxisMap x, y;

    PlotPlace() = default;
    PlotPlace(const PlotSpec& plot, std::pair<double, double> x_range, std::pair<double, double> y_range,
              const Rect& inside)
        : area(inside),
          x{x_range, plot.x.scale, inside.x, inside.right()},
          y{y_range, plot.y.scale, inside.bottom(), inside.y} {}
};

struct PlotAxes {
    struct Mark {
        double at = 0.0;
        bool minor = false;
        std::string number;  // "" if none, or if its neighbours leave no room for it
        double left = 0.0;   // the left end of an x axis' number
    };
    std::vector<Mark> x, y;
};

/// Where numbers of the x axis may stand. A number that reaches beyond `edge` moves in; if it then lies outside [from,
/// to], it is left out.
struct NumberRoom {
    double from = 0.0, to = 0.0, edge = 0.0;
};

/// A number that would touch its left neighbour is left out.
PlotAxes lay_out_axes(const PlotPlace& place, const std::vector<Tick>& x_ticks, const std::vector<Tick>& y_ticks,
                      NumberRoom room, const PictureStyle& style, const TextRuler& ruler);

/// Grid and numbers; the axes themselves follow with draw_axes_frame().
void draw_grid(Pen& pen, const PlotAxes& axes, const Rect& area, const PictureStyle& style);
void draw_axes_frame(Pen& pen, const PlotAxes& axes, const Rect& area, const PictureStyle& style);

// The series of a plot where they are drawn: thinned once and drawn many times.

/// A line without gaps.
using PointRun = std::vector<Point>;

struct SeriesLines {
    struct Band {
        PointRun lower, upper;
    };
    std::vector<PointRun> center, raw, highlighted, seeds;
    std::vector<Band> bands;
    std::vector<double> exits;  // where the line leaves through the top of a cut axis
    PointRun bars;              // the outline of bars, from the ground along their tops and back
    /// If the runs of `center` are points that no line joins, their indices in the series.
    std::vector<size_t> indices;
};

/// The series of `plot`, whose axes have limits, thinned to `columns` columns per length; lines are cut a little above
/// and below the axes. Empty for a series without points.
std::vector<SeriesLines> lay_out_lines(const PlotSpec& plot, const std::vector<SeriesShape>& shapes,
                                       const PlotPlace& place, double columns, const PlotStyle& style);

/// The runs between the gaps of a line (a NaN in x or y), with at most four points per column of pixels: the first, the
/// lowest, the highest and the last, in their order, so that no extreme is lost. x is in columns. Of consecutive points
/// outside [0, columns) only the first and the last stay, so the line still runs to the edge.
std::vector<PointRun> decimate(const PointRun& line, int columns);

/// The parts of a run whose height lies in [low, high], cut where it enters and leaves. Points are doubles because the
/// errors of a diverged run lie further away than a pen can dash.
std::vector<PointRun> clip_to_band(const PointRun& run, double low, double high);

void add_lines(const std::vector<SeriesLines>& lines, const Rect& area, Obstacles& obstacles);

void add_point_labels(const PlotSpec& plot, const std::vector<SeriesLines>& lines, const PlotPlace& place,
                      const PictureStyle& style, const TextRuler& ruler, Obstacles& obstacles);

/// The emphasis of a series while the pointer is over the legend.
enum class Emphasis { normal, strong, faint };

/// Draws all series: bands and bars below, then thin lines, then centres, dashed ones on top so that two lines that
/// coincide can both be seen. `emphasis` has one entry per series.
void draw_lines(Pen& pen, const PlotSpec& plot, const PlotPlace& place, const std::vector<SeriesLines>& lines,
                const std::vector<Emphasis>& emphasis, const PictureStyle& style);

/// The label of a reference line or a shaded range.
struct PlotLabel {
    std::vector<std::string> lines;
    Rect box;
    bool turned = false;  // it is read from below
};

/// The visible parts of a plot's ranges and reference lines.
struct PlotMarks {
    std::vector<Rect> shaded;
    std::vector<Segment> lines;
    std::vector<PlotLabel> labels;
};

/// Positions of a plot's data, reference lines, labels and note. Recomputed if the data, the view or the place change.
struct PlotLayout {
    PlotPlace place;
    std::vector<SeriesLines> lines;
    PlotMarks marks;
    std::string note;       // says what the drawing leaves out
    PlotLabel placed_note;  // empty if the note is not to be drawn among the data
    /// For a legend that looks for free room. Empty in the window, whose legend stands outside.
    Obstacles obstacles;
};

/// Lays out a plot whose axes have limits.
PlotLayout lay_out_plot(const PlotSpec& plot, const std::vector<SeriesShape>& shapes, const PlotPlace& place,
                        const PictureStyle& style, const TextRuler& ruler);

/// Draws it inside the axes, on the grid: ranges, reference lines, series, labels, the note. `emphasis` has one entry
/// per series.
void draw_plot(Pen& pen, const PlotSpec& plot, const PlotLayout& layout, const std::vector<Emphasis>& emphasis,
               const PictureStyle& style);

// The entries of a plot's legend and their samples. Where a legend stands differs: in the window it can be clicked and
// moves when data comes; on a page it is placed once.

struct LegendEntry {
    std::string name;
    int color = 0;  // Series::color
    bool dashed = false;
    bool filled = false;  // the series has a band or filled bars
    bool marked = false;  // its line has marks here and there
    bool points = false;  // a scatter: marks and no line
    bool note = false;    // stands for the line of one seed
    bool faint = false;
    size_t series = 0;  // the index of its series; the number of all series for the note

    bool operator==(const LegendEntry&) const = default;
};

/// An entry per named series, hidden ones too, and one that says which seed is highlighted.
std::vector<LegendEntry> legend_entries(const PlotSpec& plot);

/// Draws the sample of an entry from `left` on, LegendStyle::width long.
void draw_sample(Pen& pen, const LegendEntry& entry, Point left, const PictureStyle& style);

}  // namespace emergence
