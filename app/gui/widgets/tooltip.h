#pragma once

#include <imgui.h>

#include "app/gui/shell/theme.h"

namespace emergence {

/// Begins a tooltip whose text is wrapped at `width`, a length of the design (0: not wrapped); ends it on destruction.
class Tooltip {
  public:
    explicit Tooltip(const Ui& ui, float width = 380.0F) {
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
