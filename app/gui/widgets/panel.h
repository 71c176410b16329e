#pragma once

#include <imgui.h>

#include <vector>

#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"

namespace emergence {

/// Begins a fixed panel; ends it on destruction. Its box is logged as "panel NAME".
class Panel {
  public:
    Panel(const Ui& ui, const char* name, const Box& box, bool scrolls = false);
    ~Panel();
    Panel(const Panel&) = delete;
    Panel& operator=(const Panel&) = delete;
};

/// Paints what lies between the panels, `gap` pixels wide, with rounded corners. The panels themselves have
/// no ground: the window is cleared in their colour.
void draw_gaps(const Ui& ui, const std::vector<Box>& panels, float gap);

}  // namespace emergence
