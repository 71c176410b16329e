#pragma once
// Lines and bands through many points, cut so that 16-bit indices suffice and software rendering keeps up.

#include <imgui.h>

#include <vector>

namespace emergence {

/// The parts of a line, in pixels, whose height lies in [low, high], cut where it enters and leaves. In
/// doubles, since a diverged run's errors are further away than a float's pixels or a dashed line's dashes
/// can reach. x, y: finite.
std::vector<std::vector<ImVec2>> clip_to_band(const std::vector<double>& x, const std::vector<double>& y,
                                              double low, double high);

/// A line through the points. Where it has more than two points a pixel it is drawn as one upright bar a
/// pixel column.
void draw_stroke(ImDrawList* list, const std::vector<ImVec2>& points, ImU32 color, float thickness);

/// A dashed line in the pattern of that index (dash_pattern), whose unit is `dash` pixels.
void draw_dashed(ImDrawList* list, const std::vector<ImVec2>& points, ImU32 color, float thickness,
                 float dash, int dashes = 0);

/// The area between two lines over the same x; both vectors are equally long.
void draw_band(ImDrawList* list, const std::vector<ImVec2>& lower, const std::vector<ImVec2>& upper,
               ImU32 color);

/// The mark of the series with this colour index (marker_outline), within a circle about `at`; an open one is
/// an outline alone.
void draw_marker(ImDrawList* list, ImVec2 at, float radius, int color_index, ImU32 color, bool open = false);

}  // namespace emergence
