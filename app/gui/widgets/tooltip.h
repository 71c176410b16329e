#pragma once

#include <imgui.h>

#include "app/gui/shell/theme.h"

namespace emergence {

/// Moves the tooltip that is to begin, if a place was set for it, so that all of it is on the display.
void keep_tooltip_on_display();

/// Begins a tooltip whose text is wrapped at `width`, a length of the design (0: not wrapped); ends it on destruction.
class Tooltip {
  public:
    explicit Tooltip(const Ui& ui, float width = 380.0F) {
        keep_tooltip_on_display();
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(width > 0.0F ? ui.px(width) : -1.0F);
    }
    ~Tooltip() {
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
    Tooltip(const Tooltip&) = delete;
    Tooltip& operator=(const Tooltip&) = delete;
};

}  // namespace emergence
