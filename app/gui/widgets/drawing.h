#pragma once
// Draws a DrawingSpec: the shapes that an exported file has, in the theme's colours.

#include <imgui.h>

#include <optional>

#include "app/gui/shell/theme.h"
#include "core/pictures/drawing.h"

namespace emergence {

/// How wide it wants to be in a room of this height, and how high in one of this width, title and read-out
/// included.
ImVec2 drawing_size(const Ui& ui, const DrawingSpec& drawing, ImVec2 room);

/// What was done to one of a drawing's handles.
struct HandleUse {
    const DrawnHandle* handle = nullptr;
    double value = 0.0;
    bool reset = false;  // its number is to be as if never set
};

/// At the cursor, title and read-out within `size` pixels; logged as "drawing ID", its handles as "handle
/// NAME". Answers what was done to a handle in this frame; nothing in a presentation.
std::optional<HandleUse> draw_drawing(const Ui& ui, const DrawingSpec& drawing, ImVec2 size);

}  // namespace emergence
