#pragma once
// Dims the window but for some places.

#include <string>
#include <vector>

#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

/// The places of pictures and settings, by their ids and names, as they reported them in this frame. What is not in
/// sight has none.
std::vector<Box> spotlight_boxes(const WidgetLog& log, const std::vector<std::string>& names);

/// Shades `window` except for the boxes, each `margin` pixels larger. Draws nothing without boxes.
void draw_spotlight(const Ui& ui, const Box& window, const std::vector<Box>& boxes, float margin);

}  // namespace emergence
