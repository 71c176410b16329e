#include "app/gui/dialogs/open_dialog.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/files/folders.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr float kOpenWidth = 560.0F;

// Runs and sweeps are opened, not looked into.
bool opens_as_folder(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "config.toml", ignored) || fs::exists(folder / "sweep.toml", ignored);
}

// What can be opened or looked into, folders first.
std::vector<fs::path> folders_and_files(const fs::path& folder) {
    std::vector<fs::path> all = entries_in(folder);
    std::stable_partition(all.begin(), all.end(), [](const fs::path& path) {
        std::error_code ignored;
        return fs::is_directory(path, ignored);
    });
    constexpr size_t kMost = 500;
    if (all.size() > kMost) all.resize(kMost);
    return all;
}

}  // namespace

OpenDialog::OpenDialog(Jobs& jobs, const Preferences& preferences)
    : Sheet("open", Keys::own), jobs_(jobs), preferences_(preferences), desktop_(jobs) {}

void OpenDialog::open(const Session&) {
    show();
    focus_ = true;
    path_.clear();
    chosen_ = 0;
    const auto& recent = preferences_.recent;
    const fs::path last = recent.empty() ? fs::path() : fs::path(recent.front()).parent_path();
    if (!desktop_.available()) look_into(last.empty() ? home_folder().value_or("/") : last);
}

void OpenDialog::look_into(const fs::path& folder) {
    const auto list = [folder](const Jobs::Task&) {
        std::vector<Line> found = {{"↑ the folder above", "entry ..", folder.parent_path(), true}};
        for (const fs::path& path : folders_and_files(folder)) {
            std::error_code ignored;
            const bool is_folder = fs::is_directory(path, ignored), opens = is_folder && opens_as_folder(path);
            const std::string name = path.filename().string();
            found.push_back({is_folder && !opens ? name + "/" : name, "entry " + name, path, is_folder && !opens});
        }
        return found;
    };
    jobs_.post(Lane::desktop_dialog, list, [this, folder](std::vector<Line> found) {
        folder_ = folder;
        entries_ = std::move(found);
        chosen_ = static_cast<int>(preferences_.recent.size());
    });
}

std::vector<OpenDialog::Line> OpenDialog::lines() const {
    std::vector<Line> all;
    for (size_t i = 0; i < preferences_.recent.size(); ++i)
        all.push_back({preferences_.recent[i], fmt::format("recent {}", i), preferences_.recent[i]});
    all.insert(all.end(), entries_.begin(), entries_.end());
    return all;
}

void OpenDialog::draw_buttons(const Context& context, const OpenAll& open_all) {
    const Ui& ui = context.ui;
    const ImVec2 size(ui.px(130), 0.0F);
    ImGui::BeginDisabled(path_.empty());
    if (draw_button(ui, "open go", "Open", size, "Enter", true)) open_all({typed_path(path_)});
    ImGui::EndDisabled();
    ImGui::SameLine();
    if (desktop_.available()) {
        ImGui::BeginDisabled(desktop_.is_open());
        if (draw_button(ui, "open files", "Choose files…", size, "The desktop's dialog"))
            desktop_.open(false, open_all);
        ImGui::SameLine();
        if (draw_button(ui, "open folder", "Choose folder…", size, "A run, a sweep or a run of the published code"))
            desktop_.open(true, open_all);
        ImGui::EndDisabled();
        ImGui::SameLine();
    }
    if (draw_button(ui, "open close", "Cancel", {ui.px(90), 0.0F}, "Esc")) close();
}

// The last files, then what lies in the folder.
void OpenDialog::draw_lines(const Ui& ui, const OpenAll& open_all, bool entered) {
    const std::vector<Line> all = lines();
    const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
    const int by = (pressed(ImGuiKey_DownArrow) ? 1 : 0) - (pressed(ImGuiKey_UpArrow) ? 1 : 0);
    chosen_ = std::clamp(chosen_ + by, 0, std::max(0, static_cast<int>(all.size()) - 1));
    const Line* taken = entered && path_.empty() && !all.empty() ? &all[static_cast<size_t>(chosen_)] : nullptr;
    const float wide = ui.px(kOpenWidth), height = std::min(13.0F, static_cast<float>(all.size()) + 2.0F);
    ImGui::BeginChild("lines", {wide, height * ImGui::GetTextLineHeightWithSpacing()});
    for (size_t i = 0; i < all.size(); ++i) {
        if (i == 0 && !preferences_.recent.empty()) small_text(ui, ui.colors.muted, "Recent");
        if (i == preferences_.recent.size())
            small_text(ui, ui.colors.muted, elided(ui.fonts.small, folder_.string(), wide - ui.px(20)));
        const bool chosen = static_cast<int>(i) == chosen_;
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::Selectable(elided(ui.fonts.body, all[i].label, wide - ui.px(20)).c_str(), chosen)) taken = &all[i];
        log_item(ui, all[i].widget.c_str());
        explain_item(ui, all[i].path.string());
        if (chosen && by != 0) ImGui::SetScrollHereY();
        ImGui::PopID();
    }
    ImGui::EndChild();
    if (taken == nullptr) return;
    if (taken->is_folder)
        look_into(taken->path);
    else
        open_all({taken->path});
    focus_ = taken->is_folder;
}

void OpenDialog::draw(const Context& context) {
    if (!open_) return;
    const auto& [ui, session, asks] = context;
    const auto open_all = [this, &out = asks](std::vector<fs::path> paths) {
        out(ask::Open{std::move(paths)});
        close();
    };
    const Dialog dialog(ui, "open", kOpenWidth);
    heading_text(ui, "Open");
    if (std::exchange(focus_, false)) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(ui.px(kOpenWidth));
    const bool entered =
        ImGui::InputTextWithHint("##path", "path of a figure, config, run, lesson, sweep, world or weights", &path_,
                                 ImGuiInputTextFlags_EnterReturnsTrue);
    log_item(ui, "open path");
    if (entered && !path_.empty()) return open_all({typed_path(path_)});
    if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) return close();  // also while a path is typed
    draw_buttons(context, open_all);
    draw_lines(ui, open_all, entered);
}

}  // namespace emergence
