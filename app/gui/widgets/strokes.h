#pragma once
// Lines and bands through many points, cut so that 16-bit indices suffice and software rendering keeps up.

#include <imgui.h>

#include <vector>

namespace emergence {

/// A line through the points. Where it has more than two points a pixel it is drawn as one upright bar a
/// pixel column.
void draw_stroke(ImDrawList* list, const std::vector<ImVec2>& points, ImU32 color, float thickness);

/// Dashes of `dash` pixels with equal gaps.
void draw_dashed(ImDrawList* list, const std::vector<ImVec2>& points, ImU32 color, float thickness,
                 float dash);

/// The area between two lines over the same x; both vectors are equally long.
void draw_band(ImDrawList* list, const std::vector<ImVec2>& lower, const std::vector<ImVec2>& upper,
               ImU32 color);

}  // namespace emergence
