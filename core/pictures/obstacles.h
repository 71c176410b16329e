#pragma once
// What is already in a plot, so that legends and labels can keep away from it; and labels that keep off each other.

#include <vector>

#include "core/pictures/geometry.h"

namespace emergence {

class Obstacles {
  public:
    void add_line(std::vector<Point> points) { lines_.push_back(std::move(points)); }
    /// Only its inside counts; add its edges as lines.
    void add_area(std::vector<Point> polygon) { areas_.push_back(std::move(polygon)); }
    void add_box(const Rect& box) { boxes_.push_back(box); }

    /// How much of `rect` is in the way, in points of covered line; 0 where it covers nothing.
    double covered_by(const Rect& rect) const;

  private:
    std::vector<std::vector<Point>> lines_;
    std::vector<std::vector<Point>> areas_;
    std::vector<Rect> boxes_;
};

/// Start positions for intervals of the given `extents` near their `centers` (ascending), inside [0, length] and at
/// least `gap` apart. If they cannot all fit, each keeps its centre, and those that would overlap an earlier one are
/// NaN (left out).
std::vector<double> place_side_by_side(const std::vector<double>& centers, const std::vector<double>& extents,
                                       double length, double gap);

}  // namespace emergence
