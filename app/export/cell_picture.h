#pragma once
// Draws a figure's cells (plots, matrices, drawings) with their legends, and arranges them on their grid.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/export/canvas.h"
#include "core/pictures/draw_plot.h"
#include "core/pictures/figure_spec.h"
#include "core/pictures/pen.h"

namespace emergence::page {

/// Lines that end at `bottom`. They are centred about `center`, but stay inside the cell.
void draw_title(Canvas& canvas, const std::vector<std::string>& lines, const Rect& cell, double center, double bottom,
                const TextStyle& style, const TextMeter& meter);

/// `style` and `meter` must outlive it.
class CellPicture {
  public:
    CellPicture(const std::string& title, const Rect& cell, const Style& style, const TextMeter& meter)
        : cell_(cell), style_(style), meter_(meter), title_(meter.wrap(title, style.title(), cell.width)) {}
    virtual ~CellPicture() = default;

    double title_height() const { return static_cast<double>(title_.size()) * style_.title().line_height(); }
    /// The room around the picture's area, without the title.
    virtual Insets insets() const = 0;
    /// Computes what the picture needs at the width of its cell: the room around its area, the smallest area in which
    /// no label is lost, and the height of an area that it would fill.
    struct Need {
        Insets around;
        double width = 0.0, height = 0.0, full_height = 0.0;
    };
    virtual Need need() const = 0;
    /// Whether its left and right sides are aligned with those of its column, as axes are.
    virtual bool has_axes() const { return false; }
    /// Moves what covers something inside `area` elsewhere, if it can. Returns true if insets() has changed.
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

/// Entries in columns of equal width, row by row.
class Legend {
  public:
    /// Sets `entries` in as many columns, up to `columns`, as fit in `limit` points. At least one column remains.
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
    bool covers = false;  // the legend covers something
};

/// Places the legend inside `area` where it is emptiest. Corners come before edges, edges before the middle, and one
/// column before several. If every place covers something, it takes the one that covers least.
PlacedLegend place_inside(const std::vector<LegendEntry>& entries, const Rect& area, const Obstacles& obstacles,
                          const Style& style, const TextMeter& meter);

/// Makes the flattest legend that is no wider than `width`, to stand below the plot.
Legend legend_below(const std::vector<LegendEntry>& entries, double width, const Style& style, const TextMeter& meter);

/// Makes the picture of a PlotSpec with its titles, axes and legend. All arguments must outlive it, here and below.
std::unique_ptr<CellPicture> make_picture(const PlotSpec& plot, const Rect& cell, const Style& style,
                                          const TextMeter& meter);
/// Makes the picture of a HeatmapSpec, which always shows the whole matrix.
std::unique_ptr<CellPicture> make_picture(const HeatmapSpec& heatmap, const Rect& cell, const Style& style,
                                          const TextMeter& meter);
/// Makes the picture of a DrawingSpec, as large as it fits, with its read-out below.
std::unique_ptr<CellPicture> make_picture(const DrawingSpec& drawing, const Rect& cell, const Style& style,
                                          const TextMeter& meter);

/// Makes a cell's picture in `rect`. All arguments must outlive it.
std::unique_ptr<CellPicture> picture_of(const FigureCell& cell, const Rect& rect, const Style& style,
                                        const TextMeter& meter);

/// The shares of tracks (rows or columns) with these weights. A missing weight counts as 1.
std::vector<double> shares_of(const std::vector<double>& weights, size_t count);
/// How many columns and rows the figure's cells take.
std::pair<size_t, size_t> grid_of(const FigureSpec& figure);

/// The largest scale, at most `wanted`, at which every cell of a figure on its own page has room for its text.
double fitting_scale(const FigureSpec& figure, const Rect& grid, double wanted);

/// Draws the cells of `figure` into `grid`. Plots that share a side of the grid have their axes aligned there.
void draw_cells(Canvas& canvas, const FigureSpec& figure, const Rect& grid, const Style& style, const TextMeter& meter);

}  // namespace emergence::page
