#pragma once
// Points and rectangles on the page: in points (1/72 inch), y downwards from the upper left corner.

#include <algorithm>

namespace emergence {

struct Point {
    double x = 0.0, y = 0.0;
    bool operator==(const Point&) const = default;
};

struct Rect {
    double x = 0.0, y = 0.0, width = 0.0, height = 0.0;

    double right() const { return x + width; }
    double bottom() const { return y + height; }
    Point center() const { return {x + width / 2, y + height / 2}; }
    Rect grown(double by) const { return {x - by, y - by, width + 2 * by, height + 2 * by}; }
    bool overlaps(const Rect& other) const {
        return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
    }
};

struct Size {
    double width = 0.0, height = 0.0;
};

/// Room on the four sides of a rectangle.
struct Insets {
    double left = 0.0, top = 0.0, right = 0.0, bottom = 0.0;

    /// What is left of `outer`; never smaller than a few points, however little room there is.
    Rect inside(const Rect& outer) const {
        constexpr double kSmallest = 8.0;
        return {outer.x + left, outer.y + top, std::max(kSmallest, outer.width - left - right),
                std::max(kSmallest, outer.height - top - bottom)};
    }
};

}  // namespace emergence
