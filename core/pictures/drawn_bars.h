#pragma once
// Bar charts in a drawing: a column a state or a feature, whose bars can be dragged.

#include <string>
#include <vector>

#include "core/pictures/drawing.h"

namespace emergence {

/// 1, 1.5, 2, 3, 5 or 7.5 times a power of ten, not below `value`: an axis that keeps still while values
/// move. 1 for what is not above 0 or not finite.
double round_limit(double value);

/// A label as high as those of charts, which is never smaller than small text.
DrawnShape small_label(DrawnPlace at, std::string text, int color = kFaintColor);

/// A chart in coordinates of its drawing, to which it adds what it is told to. The names of limits stand left
/// of it, within kLimitsWidth, those of columns below, the heading above.
struct BarChart {
    static constexpr double kLimitsWidth = 0.55;

    double left, bottom, width, height;
    double low, high;  // the values at its lower and upper edge
    int columns;

    double pitch() const { return width / columns; }
    double x(int column) const { return left + pitch() * column; }
    /// The height of a value; beyond the limits that of the nearer one.
    double y(double value) const;

    void heading(DrawingSpec& drawing, const std::string& text) const;
    /// The line of 0 and the columns' names: their numbers where those are too long, every other where even
    /// these are; that of column `chosen` in ink.
    void frame(DrawingSpec& drawing, const std::vector<std::string>& names, int chosen = -1) const;
    void limits(DrawingSpec& drawing) const;
    /// From 0 to a value, over `share` of the column's width from `from` on; none where it is not finite.
    void bar(DrawingSpec& drawing, int column, double from, double share, double value, int color) const;
    /// The whole column, to be dragged: the number `name` of a field of named numbers, `changed` where it is
    /// in it.
    DrawnHandle handle(int column, const char* field, std::string name, const std::string& what, double value,
                       double step, bool changed) const;
};

}  // namespace emergence
