#pragma once
// A plot's legend: which line is which, placed where it covers nothing.

#include <optional>
#include <string>
#include <vector>

#include "app/export/canvas.h"
#include "app/export/obstacles.h"

namespace emergence::page {

struct LegendEntry {
    std::string name;
    Rgb color;
    bool dashed = false;
    bool band = false;
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
    void draw(Canvas& canvas, Point upper_left) const;

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
};

/// The legend inside `area` in the corner or at the edge that is emptiest, in one column or more; nothing
/// where every place would cover something, or where it does not fit.
std::optional<PlacedLegend> place_inside(const std::vector<LegendEntry>& entries, const Rect& area,
                                         const Obstacles& obstacles, const Style& style,
                                         const TextMeter& meter);

/// The flattest legend that is no wider than `width`, to stand above the plot.
Legend legend_above(const std::vector<LegendEntry>& entries, double width, const Style& style,
                    const TextMeter& meter);

}  // namespace emergence::page
