#pragma once
// A plot on the page.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/export/canvas.h"
#include "app/export/legend.h"
#include "app/export/obstacles.h"
#include "core/runtime/axis.h"
#include "core/runtime/series_draw.h"

namespace emergence::page {

/// A PlotSpec that knows how much room it needs around its axes. `plot`, `style` and `meter` must outlive it.
class PlotPicture {
  public:
    PlotPicture(const PlotSpec& plot, const Rect& cell, const Style& style, const TextMeter& meter);

    /// Room around the axes for title, labels, ticks and, where it stands above the plot, the legend.
    Insets insets() const;
    /// Moves the legend above the plot if it would cover something inside `area`. True when it did: insets()
    /// has grown.
    bool move_legend_out(const Rect& area);
    void draw(Canvas& canvas, const Rect& area) const;

  private:
    struct Curve {
        SeriesShape shape;
        Rgb color;
        bool dashed = false;
    };
    struct PlacedLabel {
        std::vector<std::string> lines;
        Rect box;
        bool vertical = false;
    };
    using PageLines = std::vector<std::vector<Point>>;

    double x_of(double value, const Rect& area) const;
    double y_of(double value, const Rect& area) const;
    PageLines page_lines(const std::vector<double>& x, const std::vector<double>& y, const Rect& area) const;
    PageLines page_bands(const SeriesShape& shape, const Rect& area) const;
    Obstacles obstacles_in(const Rect& area) const;
    std::vector<PlacedLabel> place_line_labels(const Rect& area, Obstacles& obstacles) const;
    std::vector<Tick> x_ticks(double width) const;
    std::vector<Tick> y_ticks(double height) const;
    std::vector<std::string> title_lines() const;
    double widest_label(const std::vector<Tick>& ticks) const;

    void draw_axes(Canvas& canvas, const Rect& area) const;
    void draw_axis_titles(Canvas& canvas, const Rect& area) const;
    void draw_curves(Canvas& canvas, const Rect& area) const;
    void draw_lines(Canvas& canvas, const Rect& area) const;

    const PlotSpec& plot_;
    Rect cell_;
    const Style& style_;
    const TextMeter& meter_;
    std::vector<Curve> curves_;
    std::vector<LegendEntry> entries_;
    std::pair<double, double> range_x_, range_y_;
    std::optional<Legend> legend_above_;
    bool has_data_ = false;
};

}  // namespace emergence::page
