#include "app/gui/panels/splitters.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "app/gui/widgets/panel.h"

namespace emergence {

bool draw_splitters(const Ui& ui, const Layout& layout, Splits& splits) {
    bool held = false;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0F, 1.0F});
    int index = 0;
    for (const Splitter& splitter : layout.splitters) {
        const std::string name = fmt::format("splitter {}", index++);
        const Panel panel(ui, name.c_str(), splitter.box);
        ImGui::SetCursorScreenPos(splitter.box.min);
        ImGui::InvisibleButton("border", splitter.box.size);
        log_item(ui, name.c_str());
        const bool active = ImGui::IsItemActive();
        held = held || active;
        if (active || ImGui::IsItemHovered()) {
            ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
            const float inset = ui.px(2);
            const ImVec2 min = splitter.box.min;
            const ImVec2 max = splitter.box.max();
            ImGui::GetWindowDrawList()->AddRectFilled({min.x + inset, min.y}, {max.x - inset, max.y},
                                                      with_alpha(ui.colors.accent, active ? 0.9F : 0.5F), ui.px(2));
        }
        if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
            splits.*splitter.length = 0.0F;
        } else if (active && ImGui::IsMouseDragging(ImGuiMouseButton_Left, ui.px(2))) {
            // The middle of the border follows the pointer.
            const float half = splitter.box.size.x / 2;
            const float length = splitter.sign * (ImGui::GetMousePos().x - splitter.origin) - half;
            splits.*splitter.length = std::clamp(length, splitter.minimum, splitter.maximum) / ui.scale;
        }
    }
    ImGui::PopStyleVar(2);
    return held;
}

}  // namespace emergence
