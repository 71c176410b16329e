#pragma once
// Bar charts in a drawing: one column per state or feature, with bars that the user can drag.

#include <string>
#include <vector>

#include "core/pictures/drawing.h"

namespace emergence {

/// The smallest 1, 1.5, 2, 3, 5 or 7.5 times a power of ten that is not below `value`, so that an axis stays still
/// while values move. 1 if `value` is not finite or not above 0.
double round_limit(double value);

/// A label of the height that charts use, but never smaller than small text.
DrawnShape small_label(DrawnPlace at, std::string text, int color = kFaintColor);

/// A chart in the coordinates of its drawing. Each function adds one part to the drawing: limits to the left, within
/// kLimitsWidth, columns' names below, the heading above.
struct BarChart {
    static constexpr double kLimitsWidth = 0.55;

    double left, bottom, width, height;
    /// The values at the lower and upper edge.
    double low, high;
    int columns;

    double pitch() const { return width / columns; }
    double x(int column) const { return left + pitch() * column; }
    /// The height of a value, clamped to the limits.
    double y(double value) const;

    void heading(DrawingSpec& drawing, const std::string& text) const;
    /// Adds the line of 0 and the columns' names, with column `chosen` in ink. Names that are too long become numbers;
    /// narrow columns get only every second, third, ... name.
    void frame(DrawingSpec& drawing, const std::vector<std::string>& names, int chosen = -1) const;
    void limits(DrawingSpec& drawing) const;
    /// Adds a bar from 0 to `value`, over `share` of the column's width from `from` on; none if `value` is not finite.
    void bar(DrawingSpec& drawing, int column, double from, double share, double value, int color) const;
    /// A handle over the whole column for the number `name` of a field of named numbers; `changed`: the field holds it.
    DrawnHandle handle(int column, const char* field, std::string name, const std::string& what, double value,
                       double step, bool changed) const;
};

}  // namespace emergence
