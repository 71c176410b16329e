#include "app/gui/commands/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/gui/shell/key_press.h"
#include "app/gui/shell/theme.h"
#include "app/gui/widgets/text.h"
#include "app/handbook/document.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/base/version.h"

namespace emergence {
namespace {

constexpr const char* kMenu = "commands";

// The rows of the menu, in the table's order.
const std::vector<const WindowCommand*>& listed_commands() {
    static const std::vector<const WindowCommand*> rows = [] {
        using enum Action;
        constexpr Action kRows[] = {reset,         new_seed,    save_run,       open_file,         open_runs,
                                    phase_diagram, undo,        redo,           time_play,         pin,
                                    differences,   curves_look, export_figures, open_lessons,      palette,
                                    present,       full_screen, toggle_theme,   toggle_preferences};
        std::vector<const WindowCommand*> found;
        for (const WindowCommand& one : commands())
            if (std::find(std::begin(kRows), std::end(kRows), one.action) != std::end(kRows)) found.push_back(&one);
        return found;
    }();
    return rows;
}

// For undo and redo, the text says what they would change.
std::string help_of(const WindowCommand& one, const Session& session) {
    const std::string change = one.action == Action::undo   ? session.undo_text()
                               : one.action == Action::redo ? session.redo_text()
                                                            : "";
    return change.empty() ? capitalised(one.help) : change;
}

// Returns true if the row was clicked.
bool draw_row(const Ui& ui, const WindowCommand& one, float width, bool available) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetTextLineHeight();
    ImGui::BeginDisabled(!available);
    const bool clicked = ImGui::Selectable(
        (std::string("##") + one.label).c_str(), false,
        one.repeats ? ImGuiSelectableFlags_DontClosePopups : ImGuiSelectableFlags_None, {width, height});
    log_item(ui, std::string("command ") + one.label);
    ImDrawList* list = ImGui::GetWindowDrawList();
    draw_text(list, ui.fonts.body, at, ImGui::GetColorU32(ui.colors.text), one.label);
    draw_text_placed(list, ui.fonts.small, {at.x + width, at.y + height / 2}, Placed::right,
                     ImGui::GetColorU32(ui.colors.muted), one.keys);
    ImGui::EndDisabled();
    return clicked;
}

float row_width(const Ui& ui) {
    float labels = 0.0F, keys = 0.0F;
    for (const WindowCommand* one : listed_commands()) {
        labels = std::max(labels, text_size(ui.fonts.body, one->label).x);
        keys = std::max(keys, text_size(ui.fonts.small, one->keys).x);
    }
    return labels + keys + ui.px(60);
}

}  // namespace

const WindowCommand& command(Action action) {
    const auto& all = commands();
    const auto found = find_if(all, [&](const WindowCommand& one) { return one.action == action; });
    check(found != all.end(), "every action is in the table of commands");
    return *found;
}

const WindowCommand* command_for(const KeyChord& chord) {
    const int held = counted_modifiers(chord.modifiers), key = without_keypad(chord.key);
    for (const WindowCommand& one : commands())
        for (const KeyChord& of : one.chords)
            if (of.key == key && of.modifiers == held) return &one;
    return nullptr;
}

std::string tooltip_of(Action action) {
    const WindowCommand& of = command(action);
    return capitalised(of.help) + (of.chords.empty() ? "" : fmt::format("  ({})", of.keys));
}

void open_command_menu() { ImGui::OpenPopup(kMenu); }

void draw_command_menu(const Context& context, ImVec2 corner, const WhyNot& why_not) {
    const auto& [ui, session, asks] = context;
    ImGui::SetNextWindowPos(corner, ImGuiCond_Always, {1.0F, 0.0F});
    if (!ImGui::BeginPopup(kMenu)) return;
    const float width = row_width(ui);
    std::string said = capitalised(command(Action::palette).help);
    std::string_view topic = listed_commands().front()->topic;
    for (const WindowCommand* one : listed_commands()) {
        if (std::exchange(topic, one->topic) != one->topic) ImGui::Dummy({width, ui.px(4)});
        const std::string refusal = why_not(one->action);
        if (draw_row(ui, *one, width, refusal.empty())) asks(one->action);
        if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
            said = refusal.empty() ? help_of(*one, session) : refusal + ".";
    }
    // The help of the row under the pointer has a fixed place, so no row moves.
    ImGui::BeginChild("help", {width, 3 * ui.fonts.small->FontSize + ui.px(4)});
    small_text(ui, ui.colors.muted, said);
    ImGui::EndChild();
    ImGui::EndPopup();
}

const handbook::Document& keys_document() {
    static const handbook::Document document = [] {
        std::string text = "# Keys\n";
        std::string_view topic;
        for (const WindowCommand& one : commands()) {
            if (one.chords.empty()) continue;
            if (std::exchange(topic, one.topic) != one.topic)
                text += fmt::format("\n## {}\n\n| key | what it does |\n|---|---|\n", one.topic);
            text += fmt::format("| {} | {} |\n", one.keys, one.help);
        }
        return handbook::parse_markdown("keys", text + "\nEmergence " + version_with_commit() + "\n");
    }();
    return document;
}

}  // namespace emergence
