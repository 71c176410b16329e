#pragma once
// A plot on the page.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/export/cell_picture.h"
#include "app/export/legend.h"
#include "core/pictures/axis.h"
#include "core/pictures/obstacles.h"
#include "core/pictures/series_draw.h"

namespace emergence::page {

/// A PlotSpec that knows how much room it needs around its axes. `plot`, `style` and `meter` must outlive it.
class PlotPicture final : public CellPicture {
  public:
    PlotPicture(const PlotSpec& plot, const Rect& cell, const Style& style, const TextMeter& meter);

    double title_height() const override;
    /// Room around the axes, without the title, for labels, ticks and, where it stands below the plot, the
    /// legend.
    Insets insets() const override;
    bool has_axes() const override { return true; }
    /// Moves the legend below the plot if it would cover something inside `area` and there is room. True when
    /// it did: insets() has grown.
    bool make_room(const Rect& area) override;
    /// The title ends at `title_bottom`.
    void draw(Canvas& canvas, const Rect& area, double title_bottom) const override;

  private:
    struct Curve {
        SeriesShape shape;
        Rgb color;
        int color_index = 0;
        bool dashed = false;
        bool bars = false;
        bool points = false;
        bool named = false;         // has an entry in the legend
        std::vector<double> exits;  // where it leaves through the top of a cut axis
        int dashes = 0;             // of a dashed line: see dash_pattern()
    };
    struct PlacedLabel {
        std::vector<std::string> lines;
        Rect box;
        bool vertical = false;
    };
    using PageLines = std::vector<std::vector<Point>>;

    double x_of(double value, const Rect& area) const;
    double y_of(double value, const Rect& area) const;
    PageLines page_lines(const std::vector<double>& x, const std::vector<double>& y, const Rect& area,
                         double columns_per_point) const;
    PageLines page_bands(const SeriesShape& shape, const Rect& area, double columns_per_point) const;
    /// Where the tops of a series of bars run, from the ground and back to it.
    std::vector<Point> bar_outline(const SeriesShape& shape, const Rect& area) const;
    Obstacles obstacles_in(const Rect& area) const;
    std::vector<PlacedLabel> place_line_labels(const Rect& area, Obstacles& obstacles) const;
    void add_shaded_labels(const Rect& area, Obstacles& obstacles, std::vector<PlacedLabel>& labels) const;
    std::vector<Point> scatter(const SeriesShape& shape, const Rect& area) const;
    Rect shaded_box(const ShadedRange& range, const Rect& area) const;
    std::vector<Tick> x_ticks(double width) const;
    std::vector<Tick> y_ticks(double height) const;
    std::vector<std::string> title_lines() const;
    std::vector<std::string> x_title_lines() const;
    std::vector<std::string> y_title_lines() const;
    double left_room() const;
    double right_room() const;
    double axis_width() const;  // before it is aligned with other plots
    double widest_label(const std::vector<Tick>& ticks) const;

    void draw_axes(Canvas& canvas, const Rect& area) const;
    void draw_labels_and_legend(Canvas& canvas, const Rect& area) const;
    void draw_axis_titles(Canvas& canvas, const Rect& area) const;
    void draw_curves(Canvas& canvas, const Rect& area) const;
    void draw_bars(Canvas& canvas, const Curve& curve, const Rect& area) const;
    void draw_center(Canvas& canvas, const Curve& curve, const Rect& area) const;
    void draw_exits(Canvas& canvas, const Curve& curve, const Rect& area) const;
    void draw_unshowable(Canvas& canvas, const Rect& area) const;
    Rect unshowable_box(const Rect& area) const;
    void draw_lines(Canvas& canvas, const Rect& area) const;
    void draw_shaded(Canvas& canvas, const Rect& area) const;

    const PlotSpec& plot_;
    Rect cell_;
    const Style& style_;
    const TextMeter& meter_;
    std::vector<Curve> curves_;
    std::vector<LegendEntry> entries_;
    std::pair<double, double> range_x_, range_y_;
    std::string unshowable_;  // what the drawing leaves out, as a note
    std::optional<Legend> legend_below_;
    bool has_data_ = false;
};

}  // namespace emergence::page
