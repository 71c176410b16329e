#pragma once
// Draws a DrawingSpec: the shapes that an exported file has, in the theme's colours.

#include <imgui.h>

#include "app/gui/theme.h"
#include "core/runtime/drawing.h"

namespace emergence {

/// How wide it wants to be in a room of this height, and how high in one of this width, title and read-out
/// included.
ImVec2 drawing_size(const Ui& ui, const DrawingSpec& drawing, ImVec2 room);

/// At the cursor, title and read-out within `size` pixels; logged as "drawing ID".
void draw_drawing(const Ui& ui, const DrawingSpec& drawing, ImVec2 size);

}  // namespace emergence
