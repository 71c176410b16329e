#pragma once
// What a cell of a figure is on the page (a plot, a matrix, a drawing), its legend, and the cells on their grid.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/export/canvas.h"
#include "core/pictures/draw_plot.h"
#include "core/pictures/figure_spec.h"
#include "core/pictures/pen.h"

namespace emergence::page {

/// Lines that end at `bottom`, centred about `center`, but never outside the cell.
void draw_title(Canvas& canvas, const std::vector<std::string>& lines, const Rect& cell, double center, double bottom,
                const TextStyle& style, const TextMeter& meter);

/// `style` and `meter` must outlive it.
class CellPicture {
  public:
    CellPicture(const std::string& title, const Rect& cell, const Style& style, const TextMeter& meter)
        : cell_(cell), style_(style), meter_(meter), title_(meter.wrap(title, style.title(), cell.width)) {}
    virtual ~CellPicture() = default;

    double title_height() const { return static_cast<double>(title_.size()) * style_.title().line_height(); }
    /// Room around its area, without the title.
    virtual Insets insets() const = 0;
    /// What it needs at the width of its cell: the room around its area, the least area in which no label is lost, and
    /// the height of an area that it would fill.
    struct Need {
        Insets around;
        double width = 0.0, height = 0.0, full_height = 0.0;
    };
    virtual Need need() const = 0;
    /// Its left and right sides are aligned with the others' of its column, as those of axes are.
    virtual bool has_axes() const { return false; }
    /// Moves what covers something inside `area` elsewhere, if it can. True when it did: insets() has
    /// changed.
    virtual bool make_room(const Rect&) { return false; }
    /// Draws into `area`; the title ends at `title_bottom`.
    virtual void draw(Canvas& canvas, const Rect& area, double title_bottom) const = 0;

  protected:
    void draw_own_title(Canvas& canvas, double center, double bottom) const {
        draw_title(canvas, title_, cell_, center, bottom, style_.title(), meter_);
    }

    Rect cell_;
    const Style& style_;
    const TextMeter& meter_;

  private:
    std::vector<std::string> title_;  // in lines
};

/// Entries set in columns of equal width, row by row.
class Legend {
  public:
    /// Sets `entries` in at most `columns` columns no wider in all than `limit` points. At least one column.
    Legend(const std::vector<LegendEntry>& entries, int columns, double limit, const Style& style,
           const TextMeter& meter);

    double width() const { return column_width_ * columns_; }
    double height() const;
    int columns() const { return columns_; }
    void draw(Canvas& canvas, Point upper_left, const PictureStyle& look) const;

  private:
    struct Item {
        LegendEntry entry;
        std::vector<std::string> lines;
    };
    double row_height(size_t row) const;
    size_t num_rows() const;

    std::vector<Item> items_;
    int columns_ = 1;
    double column_width_ = 0.0;
    Style style_;
};

struct PlacedLegend {
    Legend legend;
    Point upper_left;
    bool covers = false;  // something is under it
};

/// The legend inside `area` where it is emptiest: in a corner, else at an edge, else anywhere; in one column
/// if it can. Where every place covers something, the one that covers least.
PlacedLegend place_inside(const std::vector<LegendEntry>& entries, const Rect& area, const Obstacles& obstacles,
                          const Style& style, const TextMeter& meter);

/// The flattest legend that is no wider than `width`, to stand below the plot.
Legend legend_below(const std::vector<LegendEntry>& entries, double width, const Style& style, const TextMeter& meter);

/// A PlotSpec with its titles, axes and legend. All arguments must outlive the picture, here and below.
std::unique_ptr<CellPicture> make_picture(const PlotSpec& plot, const Rect& cell, const Style& style,
                                          const TextMeter& meter);
/// A HeatmapSpec, always the whole matrix.
std::unique_ptr<CellPicture> make_picture(const HeatmapSpec& heatmap, const Rect& cell, const Style& style,
                                          const TextMeter& meter);
/// A DrawingSpec, as large as it fits, its read-out below.
std::unique_ptr<CellPicture> make_picture(const DrawingSpec& drawing, const Rect& cell, const Style& style,
                                          const TextMeter& meter);

/// A cell's picture in `rect`. All arguments must outlive it.
std::unique_ptr<CellPicture> picture_of(const FigureCell& cell, const Rect& rect, const Style& style,
                                        const TextMeter& meter);

/// The shares of tracks (rows or columns) of these weights; missing ones weigh 1.
std::vector<double> shares_of(const std::vector<double>& weights, size_t count);
/// How many columns and rows the figure's cells take.
std::pair<size_t, size_t> grid_of(const FigureSpec& figure);

/// The largest scale, at most `wanted`, at which every cell of a figure on its own page has room for its text.
double fitting_scale(const FigureSpec& figure, const Rect& grid, double wanted);

/// Draws the cells of `figure` into `grid`. Plots that share a side of the grid have their axes aligned
/// there.
void draw_cells(Canvas& canvas, const FigureSpec& figure, const Rect& grid, const Style& style, const TextMeter& meter);

}  // namespace emergence::page
