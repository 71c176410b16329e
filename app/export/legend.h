#pragma once
// A plot's legend on the page, placed where it covers nothing.

#include <string>
#include <vector>

#include "app/export/canvas.h"
#include "core/pictures/draw_plot.h"
#include "core/pictures/pen.h"

namespace emergence::page {

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

}  // namespace emergence::page
