#include "app/gui/shell/widget_log.h"

#include <imgui_internal.h>

#include "core/base/error.h"

namespace emergence {

void WidgetLog::record(const std::string& name, ImVec2 min, ImVec2 max, ImGuiID id) {
    const ImVec2 centre((min.x + max.x) / 2, (min.y + max.y) / 2);
    const ImVec2 clip_min = ImGui::GetWindowDrawList()->GetClipRectMin();
    const ImVec2 clip_max = ImGui::GetWindowDrawList()->GetClipRectMax();
    const bool visible =
        centre.x >= clip_min.x && centre.x < clip_max.x && centre.y >= clip_min.y && centre.y < clip_max.y;
    const ImGuiWindow* root = ImGui::GetCurrentWindowRead()->RootWindow;
    const bool popup = (root->Flags & ImGuiWindowFlags_Popup) != 0;
    places_[name] = {min, max, visible, ImGui::GetFrameCount(), id, next_++, popup};
}

bool WidgetLog::drawn(const std::string& name) const {
    const auto found = places_.find(name);
    return found != places_.end() && found->second.frame == ImGui::GetFrameCount();
}

const WidgetLog::Place& WidgetLog::place(const std::string& name) const {
    const std::string missing = "the widget was not drawn in the last frame: " + name;
    check(drawn(name), missing.c_str());
    return places_.at(name);
}

ImVec2 WidgetLog::centre(const std::string& name) const {
    const Place& found = place(name);
    const std::string hidden = "the widget is clipped away: " + name;
    check(found.visible, hidden.c_str());
    return {(found.min.x + found.max.x) / 2, (found.min.y + found.max.y) / 2};
}

}  // namespace emergence
