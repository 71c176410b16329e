#pragma once

#include <imgui.h>

#include <string>

#include "app/gui/shell/theme.h"

namespace emergence {

/// Moves the tooltip that is to begin, if a place was set for it, so that all of it is on the display.
void keep_tooltip_on_display();

/// The tooltip that is to begin stands beside the pointer within the present window, left of it if there is no room right:
/// in a presentation it would lie over a lesson's words.
void keep_tooltip_in_window(const Ui& ui);

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

/// Whether the last item is to be explained: it is pointed at, neither held nor pressed since the pointer came, and the
/// window does not present.
bool may_explain_item(const Ui& ui);
/// A sentence for the last item while it is pointed at, beside it.
void explain_item(const Ui& ui, const std::string& text);
/// The same beside a place that is pointed at.
void explain_beside(const Ui& ui, ImVec2 min, ImVec2 max, const std::string& text);
/// The same for whatever is under the pointer.
void explain_now(const Ui& ui, const std::string& text);

}  // namespace emergence
