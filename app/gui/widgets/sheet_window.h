#pragma once

#include <imgui.h>

#include <optional>
#include <string>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/floating.h"

namespace emergence {

/// Begins a window of a size of its own in the middle, above the panels, which stay in use; ends it on
/// destruction. Logged as "panel NAME".
class SheetWindow {
  public:
    /// `width` and `height` in lengths of the design, as far as the display has them. `raise`: it comes to
    /// the front in this frame.
    SheetWindow(const Ui& ui, const char* name, float width, float height, bool raise);
    /// In pixels.
    ImVec2 size() const { return size_; }
    /// Draws the heading with what is said after it, and a button at its end; true where that was pressed.
    /// Logged as "ID close".
    bool draw_heading(const Ui& ui, const char* title, const char* id, const std::string& subtitle,
                      const char* tooltip = "Esc") const;

  private:
    ImVec2 size_;
    std::optional<Floating> window_;
};

}  // namespace emergence
