#include "app/gui/dialogs/bookmarks.h"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <exception>
#include <utility>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/dialog.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/experiments/registry.h"
#include "core/settings/toml.h"

namespace emergence {
namespace {

constexpr float kWidth = 460.0F;

// "In-context TD at step 1200", and the settings that differ from their defaults, a line each.
std::string told_state(const std::string& text) {
    try {
        const SettingsFile file = parse_settings(text, "bookmark");
        const ExperimentInfo& info = find_experiment(file.experiment);
        const Settings settings(info.fields);
        std::string told = info.title;
        if (file.step) told += fmt::format(" at step {}", *file.step);
        for (const SettingsFile::Entry& entry : file.entries)
            told += fmt::format("\n{} {}", settings.info(entry.name).label,
                                value_in_words(settings.info(entry.name), entry.value));
        return told;
    } catch (const std::exception&) {  // of another version: opening it says what is wrong
        return text;
    }
}

// While no name is typed; 0: none.
int typed_digit() {
    const ImGuiIO& io = ImGui::GetIO();
    for (const ImWchar typed : io.InputQueueCharacters)
        if (!io.WantTextInput && typed >= '1' && typed <= '9') return typed - '0';
    return 0;
}

}  // namespace

void BookmarksPanel::open(const Session& session) {
    show();
    name_ = suggest_(session);
}

void BookmarksPanel::draw(const Context& context) {
    if (!open_) return;
    const std::map<std::string, std::string>& bookmarks = preferences_.bookmarks;
    const auto& [ui, session, asks] = context;
    bool leave = false;
    const Dialog dialog(ui, "bookmarks", kWidth);
    ImGui::PushFont(ui.fonts.bold);
    ImGui::TextUnformatted("Bookmarks");
    ImGui::PopFont();
    ImGui::Dummy({0.0F, ui.px(2)});
    const float side = ui.px(28);
    const float wide = ui.px(kWidth) - side - 3 * ImGui::GetStyle().WindowPadding.x;
    int index = 0;
    const int typed = typed_digit();
    for (const auto& [name, text] : bookmarks) {
        ImGui::PushID(name.c_str());
        const std::string label = index < 9 ? fmt::format("{}   {}", index + 1, name) : name;
        if (ImGui::Button(elided(ui.fonts.body, label, wide - ui.px(16)).c_str(), {wide, 0.0F}) || typed == index + 1) {
            asks(ask::OpenBookmark{name});
            leave = true;
        }
        log_item(ui, fmt::format("bookmark {}", index).c_str());
        if (ImGui::IsItemHovered()) explain_item(ui, told_state(text));
        ImGui::SameLine();
        if (draw_button(ui, fmt::format("bookmark delete {}", index++).c_str(), "×", {side, 0.0F},
                        "Delete this bookmark"))
            asks(ask::DeleteBookmark{name});
        ImGui::PopID();
    }
    if (bookmarks.empty()) ImGui::TextDisabled("None yet. Type a name and press Add to save this state.");
    ImGui::Dummy({0.0F, ui.px(4)});
    ImGui::SetNextItemWidth(wide - ui.px(70));
    const bool entered = ImGui::InputTextWithHint("##name", "name", &name_, ImGuiInputTextFlags_EnterReturnsTrue);
    log_item(ui, "bookmark name");
    ImGui::SameLine();
    ImGui::BeginDisabled(name_.empty());
    const bool added =
        draw_button(ui, "bookmark add", bookmarks.count(name_) != 0 ? "Replace" : "Add", {ui.px(70) + side, 0.0F},
                    "Saves experiment, settings, view and, while paused, the step, with the preferences; and the run, "
                    "with weights and moments, which opens at once, if a folder for runs is known.");
    ImGui::EndDisabled();
    if ((entered || added) && !name_.empty()) asks(ask::KeepBookmark{name_});
    ImGui::Dummy({0.0F, ui.px(4)});
    const ImVec2 size(ui.px(130), 0.0F);
    if (draw_button(ui, "copy state", "Copy as text", size,
                    "The same for an e-mail or another window: settings that differ from their defaults  "
                    "(Ctrl + C)"))
        asks(Action::copy_state);
    ImGui::SameLine();
    if (draw_button(ui, "paste state", "Paste", size,
                    "Opens such a text, or a whole config, from the clipboard  (Ctrl + V)")) {
        asks(Action::paste_state);
        leave = true;
    }
    ImGui::SameLine();
    if (draw_button(ui, "bookmarks close", "Close", {ui.px(90), 0.0F}, "Ctrl + B or Esc", true) || leave) close();
}

}  // namespace emergence
