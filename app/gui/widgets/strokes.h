#pragma once
// Lines and bands through many points, cut so that 16-bit indices suffice and software rendering keeps up.

#include <imgui.h>

#include <span>

#include "core/pictures/pen.h"

namespace emergence {

inline Point point_of(ImVec2 pixel) { return {static_cast<double>(pixel.x), static_cast<double>(pixel.y)}; }
inline ImVec2 pixel_of(Point point) { return {static_cast<float>(point.x), static_cast<float>(point.y)}; }
inline Rect rect_between(ImVec2 min, ImVec2 max) {
    const auto wide = [](float length) { return static_cast<double>(length); };
    return {wide(min.x), wide(min.y), wide(max.x) - wide(min.x), wide(max.y) - wide(min.y)};
}

/// A line through the points. Where it has more than two points a pixel it is drawn as one upright bar a
/// pixel column.
void draw_stroke(ImDrawList* list, std::span<const Point> points, ImU32 color, float thickness);

/// A dashed line in the pattern of that index (dash_pattern), whose unit is `dash` pixels.
void draw_dashed(ImDrawList* list, std::span<const Point> points, ImU32 color, float thickness, float dash,
                 int dashes = 0);

/// The area between two lines over the same x; both are equally long.
void draw_band(ImDrawList* list, std::span<const Point> lower, std::span<const Point> upper, ImU32 color);

/// The mark of the series with this colour index (marker_outline), within a circle about `at`; an open one is
/// an outline alone.
void draw_marker(ImDrawList* list, Point at, float radius, int color_index, ImU32 color, bool open = false);

}  // namespace emergence
