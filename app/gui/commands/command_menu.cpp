#include "app/gui/commands/command_menu.h"

#include <algorithm>

#include "app/gui/commands/command.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/text.h"
#include "core/base/text.h"

namespace emergence {
namespace {

constexpr const char* kMenu = "commands";

// In the table's order, under its topics.
const std::vector<CommandTopic>& listed() {
    using enum Action;
    static const std::vector<CommandTopic> topics =
        commands_by_topic({reset,          new_seed,     save_run,   open_file,    open_runs,    phase_diagram,
                           undo,           redo,         time_back,  time_forward, time_play,    play_speed,
                           pin_first,      pin_second,   minus_pin,  differences,  colors,       curves_look,
                           export_figures, describe,     screenshot, film,         open_lessons, lesson_pages,
                           palette,        reset_layout, present,    full_screen,  toggle_theme, toggle_preferences});
    return topics;
}

// What undo and redo would do is said instead of what they are.
std::string help_of(const WindowCommand& one, const Session& session) {
    const std::string change = one.action == Action::undo   ? session.undo_text()
                               : one.action == Action::redo ? session.redo_text()
                                                            : "";
    return change.empty() ? capitalised(one.help) : change;
}

// True where it was clicked.
bool draw_row(const Ui& ui, const WindowCommand& one, float width, bool available) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetTextLineHeight();
    ImGui::BeginDisabled(!available);
    const bool clicked = ImGui::Selectable(
        (std::string("##") + one.label).c_str(), false,
        one.repeats ? ImGuiSelectableFlags_DontClosePopups : ImGuiSelectableFlags_None, {width, height});
    log_item(ui, (std::string("command ") + one.label).c_str());
    ImDrawList* list = ImGui::GetWindowDrawList();
    draw_text(list, ui.fonts.body, at, ImGui::GetColorU32(ui.colors.text), one.label);
    draw_text_placed(list, ui.fonts.small, {at.x + width, at.y + height / 2}, Placed::end, Placed::middle,
                     ImGui::GetColorU32(ui.colors.muted), one.keys);
    ImGui::EndDisabled();
    return clicked;
}

float row_width(const Ui& ui) {
    float labels = 0.0F, keys = 0.0F;
    for (const CommandTopic& topic : listed())
        for (const WindowCommand* one : topic.commands) {
            labels = std::max(labels, text_size(ui.fonts.body, one->label).x);
            keys = std::max(keys, text_size(ui.fonts.small, one->keys).x);
        }
    return labels + keys + ui.px(20);
}

}  // namespace

void open_command_menu() { ImGui::OpenPopup(kMenu); }

void draw_command_menu(const Context& context, ImVec2 corner, const WhyNot& why_not) {
    const auto& [ui, session, asks] = context;
    ImGui::SetNextWindowPos(corner, ImGuiCond_Always, {1.0F, 0.0F});
    if (!ImGui::BeginPopup(kMenu)) return;
    const float width = row_width(ui), gap = ui.px(28);
    const size_t second = first_column(listed());
    const ImVec2 start = ImGui::GetCursorScreenPos();
    float bottom = start.y;
    const auto end_column = [&] {
        ImGui::EndGroup();
        bottom = std::max(bottom, ImGui::GetItemRectMax().y);
    };
    std::string said = capitalised(command(Action::palette).help);
    ImGui::BeginGroup();
    for (size_t i = 0; i < listed().size(); ++i) {
        if (i == second) {
            end_column();
            ImGui::SetCursorScreenPos({start.x + width + gap, start.y});
            ImGui::BeginGroup();
        }
        heading_text(ui, listed()[i].name.c_str());
        for (const WindowCommand* one : listed()[i].commands) {
            const std::string refusal = why_not(one->action);
            if (draw_row(ui, *one, width, refusal.empty())) asks(one->action);
            if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
                said = refusal.empty() ? help_of(*one, session) : refusal + ".";
        }
        ImGui::Dummy({width, ui.px(4)});
    }
    end_column();
    // What the row under the pointer does, in a room that does not change and hides no row.
    ImGui::SetCursorScreenPos({start.x, bottom});
    ImGui::BeginChild("help", {2 * width + gap, 2 * ui.fonts.small->FontSize + ui.px(4)});
    small_text(ui, ui.colors.muted, said);
    ImGui::EndChild();
    ImGui::EndPopup();
}

}  // namespace emergence
