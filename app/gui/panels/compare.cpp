#include "app/gui/panels/compare.h"

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/setting_control.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"

namespace emergence {
namespace {

// Any setting may differ but how long the runs are: they are compared step by step.
void draw_field_choice(const Context& context, float width) {
    const auto& [ui, session, asks] = context;
    const std::string chosen = session.difference()->field;
    ImGui::SetNextItemWidth(width);
    const bool open =
        ImGui::BeginCombo("##field", greek(session.settings().info(chosen).label).c_str(), ImGuiComboFlags_HeightLarge);
    log_item(ui, "B field");
    explain_item(ui, "The setting in which B differs from A. All others are the same in both.");
    if (!open) return;
    const std::string stop = session.stop_field().value_or("");
    for (const FieldInfo& field : session.settings().fields()) {
        if (field.name == stop) continue;
        const bool is_chosen = field.name == chosen;
        if (ImGui::Selectable(greek(field.label).c_str(), is_chosen) && !is_chosen) asks(ask::Differ{field.name, {}});
        log_item(ui, ("B choose " + field.name).c_str());
    }
    ImGui::EndCombo();
}

void draw_value(const Context& context, ImVec2 at, float width) {
    const auto& [ui, session, asks] = context;
    const Difference difference = *session.difference();
    FieldInfo field = session.settings().info(difference.field);
    field.name = "B " + field.name;
    ImGui::SetCursorScreenPos(at);
    ImGui::BeginChild("value", {width, ImGui::GetFrameHeight()}, false, ImGuiWindowFlags_NoScrollbar);
    // The editor's own label would take its left half: the list beside it says the same.
    ImGui::SetCursorPosX(-width);
    const auto value = draw_field(ui, field, difference.value, "");
    ImGui::EndChild();
    if (value) asks(ask::Differ{difference.field, *value});
}

}  // namespace

float compare_bar_height(const Ui& ui) { return ui.px(40); }

ImU32 side_color(const Ui& ui, bool of_b) { return of_b ? ui.colors.warning : ui.colors.accent; }

std::string side_text(const Session& session, bool of_b) {
    if (!session.difference()) return "";
    const Difference& difference = *session.difference();
    const FieldValue& value = of_b ? difference.value : session.settings().value(difference.field);
    const FieldInfo& field = session.settings().info(difference.field);
    return greek(field.label + " " + value_in_words(field, value));
}

void draw_compare_bar(const Context& context, const Box& box) {
    const auto& [ui, session, asks] = context;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float middle = std::round(box.min.y + box.size.y / 2);
    const float top = std::round(middle - ImGui::GetFrameHeight() / 2);
    float x = box.min.x + ui.px(16);
    const auto put = [&](const ImFont* font, ImU32 color, const std::string& text, float gap) {
        draw_text_placed(list, font, {x, middle}, Placed::start, Placed::middle, color, text);
        x += text_size(font, text).x + gap;
    };
    put(ui.fonts.bold, side_color(ui, false), "A", ui.px(8));
    put(ui.fonts.body, ui.colors.text, side_text(session, false), ui.px(28));
    // A place of its own, so that it does not move while A's number changes.
    x = std::max(x, box.min.x + ui.px(230));
    put(ui.fonts.bold, side_color(ui, true), "B", ui.px(8));
    ImGui::SetCursorScreenPos({x, top});
    draw_field_choice(context, ui.px(170));
    x += ui.px(178);
    draw_value(context, {x, top}, ui.px(170));
    x += ui.px(186);
    const bool refused = !session.compare_refusal().empty();
    const std::string text = refused ? session.compare_refusal() : "same seeds, same random numbers";
    const float room = box.max().x - ui.px(16) - x;
    if (room > ui.px(60))
        draw_text_placed(list, ui.fonts.small, {x, middle}, Placed::start, Placed::middle,
                         refused ? ui.colors.bad : ui.colors.muted,
                         refused ? elided(ui.fonts.small, text, room) : whole_parts(ui.fonts.small, text, room));
}

}  // namespace emergence
