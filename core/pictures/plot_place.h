#pragma once
// Where a plot's data and axes lie on the page or in the window.

#include "core/pictures/axis.h"
#include "core/pictures/pen.h"

namespace emergence {

/// Maps one axis between data and places.
class AxisMap {
  public:
    AxisMap() = default;
    AxisMap(std::pair<double, double> range, Scale scale, double first, double last);

    /// NaN if the value cannot be shown (not finite, or not positive on a logarithmic axis).
    double place(double value) const;
    double value(double place) const;

  private:
    Scale scale_ = Scale::linear;
    double low_ = 0.0, high_ = 1.0;
    double first_ = 0.0, last_ = 1.0;
};

struct PlotPlace {
    /// Inside the axes.
    Rect area;
    AxisMap x, y;

    PlotPlace() = default;
    PlotPlace(const PlotSpec& plot, std::pair<double, double> x_range, std::pair<double, double> y_range,
              const Rect& inside);
};

/// The numbers and lines of both axes.
struct PlotAxes {
    struct Mark {
        double at = 0.0;
        bool minor = false;
        /// "" if none, or if its neighbours leave no room for it.
        std::string number;
        /// The left end of an x axis' number.
        double left = 0.0;
    };
    std::vector<Mark> x, y;
};

/// Where numbers of the x axis may stand: one that reaches beyond `edge` moves in; one that is then not in [from, to] is
/// left out.
struct NumberRoom {
    double from = 0.0, to = 0.0, edge = 0.0;
};

/// A number that would touch its left neighbour is left out.
PlotAxes lay_out_axes(const PlotPlace& place, const std::vector<Tick>& x_ticks, const std::vector<Tick>& y_ticks,
                      NumberRoom room, const PictureStyle& style, const TextRuler& ruler);

/// Grid and numbers; the axes themselves follow with draw_axes_frame().
void draw_grid(Pen& pen, const PlotAxes& axes, const Rect& area, const PictureStyle& style);
void draw_axes_frame(Pen& pen, const PlotAxes& axes, const Rect& area, const PictureStyle& style);

}  // namespace emergence
