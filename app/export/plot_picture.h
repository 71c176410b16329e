#pragma once
// A plot on the page: its titles, axes and legend around what draw_plot() draws.

#include <optional>
#include <string>
#include <vector>

#include "app/export/cell_picture.h"
#include "app/export/legend.h"
#include "core/pictures/draw_plot.h"
#include "core/pictures/plot.h"

namespace emergence::page {

/// A PlotSpec that knows how much room it needs around its axes. `style` and `meter` must outlive it.
class PlotPicture final : public CellPicture {
  public:
    PlotPicture(const PlotSpec& plot, const Rect& cell, const Style& style, const TextMeter& meter);

    double title_height() const override;
    /// Room around the axes, without the title, for labels, ticks and, if it stands below the plot, the legend.
    Insets insets() const override;
    Need need() const override;
    bool has_axes() const override { return true; }
    /// Moves the legend below the plot if it would cover something inside `area` and there is room. True if it did:
    /// insets() has grown.
    bool make_room(const Rect& area) override;
    /// The title ends at `title_bottom`.
    void draw(Canvas& canvas, const Rect& area, double title_bottom) const override;

  private:
    PlotLayout layout_in(const Rect& area) const;
    std::vector<Tick> x_ticks(double width) const;
    std::vector<Tick> y_ticks(double height) const;
    std::vector<std::string> title_lines() const;
    std::vector<std::string> x_title_lines() const;
    std::vector<std::string> y_title_lines() const;
    double left_room() const;
    double right_room() const;
    /// Before it is aligned with other plots.
    double axis_width() const;
    /// The legend below the plot, if inside `area` it would cover something.
    std::optional<Legend> legend_out_of(const Rect& area) const;
    double widest_label(const std::vector<Tick>& ticks) const;
    void draw_axis_titles(Canvas& canvas, const Rect& area) const;
    void draw_legend(Canvas& canvas, const Rect& area, const Obstacles& obstacles) const;

    PlotSpec shown_;
    std::vector<SeriesShape> shapes_;
    Rect cell_;
    const Style& style_;
    PictureStyle look_;
    const TextMeter& meter_;
    std::vector<LegendEntry> entries_;
    AxisRange range_x_, range_y_;
    std::optional<Legend> legend_below_;
};

}  // namespace emergence::page
