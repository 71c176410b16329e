#include "app/gui/dialogs/open_dialog.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <utility>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/dialog.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/files/folders.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr float kOpenWidth = 560.0F;

}  // namespace

OpenDialog::OpenDialog(Jobs& jobs, const Preferences& preferences)
    : Sheet("open", Keys::own), preferences_(preferences), desktop_(jobs) {}

void OpenDialog::open(const Session&) {
    show();
    focus_ = true;
    path_.clear();
}

void OpenDialog::draw(const Context& context) {
    if (!open_) return;
    const std::vector<std::string>& recent = preferences_.recent;
    const auto& [ui, session, asks] = context;
    const auto open_all = [this, &out = asks](std::vector<fs::path> paths) {
        out(ask::Open{std::move(paths)});
        close();
    };
    const Dialog dialog(ui, "open", kOpenWidth);
    heading_text(ui, "Open");
    const float wide = ui.px(kOpenWidth);
    if (std::exchange(focus_, false)) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(wide);
    const bool entered =
        ImGui::InputTextWithHint("##path", "path of a figure, config, run, lesson, sweep, world or weights", &path_,
                                 ImGuiInputTextFlags_EnterReturnsTrue);
    log_item(ui, "open path");
    const ImVec2 size(ui.px(130), 0.0F);
    ImGui::BeginDisabled(path_.empty());
    const bool pressed = draw_button(ui, "open go", "Open", size, "Enter", true);
    ImGui::EndDisabled();
    if ((entered || pressed) && !path_.empty()) open_all({typed_path(path_)});
    if (desktop_.available()) {
        ImGui::SameLine();
        ImGui::BeginDisabled(desktop_.is_open());
        if (draw_button(ui, "open files", "Choose files…", size, "The desktop's dialog"))
            desktop_.open(false, open_all);
        ImGui::SameLine();
        if (draw_button(ui, "open folder", "Choose folder…", size, "A run, a sweep or a run of the published code"))
            desktop_.open(true, open_all);
        ImGui::EndDisabled();
    }
    ImGui::SameLine();
    if (draw_button(ui, "open close", "Cancel", {ui.px(90), 0.0F}, "Esc")) close();
    if (!recent.empty()) small_text(ui, ui.colors.muted, "Recent");
    for (size_t i = 0; i < recent.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::Selectable(elided(ui.fonts.body, recent[i], wide).c_str(), false, ImGuiSelectableFlags_None,
                              {wide, 0.0F}))
            open_all({recent[i]});
        log_item(ui, fmt::format("recent {}", i).c_str());
        explain_item(ui, recent[i]);
        ImGui::PopID();
    }
}

}  // namespace emergence
