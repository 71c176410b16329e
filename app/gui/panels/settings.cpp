#include "app/gui/panels/settings.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <cctype>
#include <cmath>
#include <memory>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/field_words.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/setting_control.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/settings/fields.h"

namespace emergence {
namespace {

constexpr const char* kRunGroup = "run";  // the group that begins with the pace

// In the order of their first fields.
std::vector<std::string> groups_of(const FieldTable& fields) {
    std::vector<std::string> groups;
    for (const FieldInfo& field : fields)
        if (!contains(groups, field.group)) groups.push_back(field.group);
    return groups;
}

// "Has no effect while clamp = nothing.", with labels instead of names.
std::string idle_sentence(const FieldInfo& field, const Settings& settings) {
    const std::string why = why_idle(settings, field);
    std::string sentence = with_labels(why, settings.fields());
    for (const ActsWhile& needed : field.acts_while) {  // it ends with a value as it is typed
        const FieldValue& value = settings.value(needed.field);
        const std::string typed = " = " + to_text(value);
        if (!sentence.ends_with(typed)) continue;
        sentence.replace(sentence.size() - typed.size(), typed.size(),
                         " = " + value_in_words(settings.info(needed.field), value));
        break;
    }
    return sentence.empty() ? "" : capitalised(sentence) + ".";
}

// The range that the lesson asks for, or that the run has for the slider; null for none.
const FieldRange* live_range(const Session& session, const std::string& field) {
    for (const FieldRange& goal : session.goals())
        if (goal.field == field) return &goal;
    const auto& live = session.live_snapshot();
    if (!live || live->experiment != session.info().name) return nullptr;
    for (const FieldRange& range : live->field_ranges)
        if (range.field == field) return &range;
    return nullptr;
}

void draw_pace(const Context& context) {
    const auto& [ui, session, asks] = context;
    draw_caption(ui, "Pace");
    const std::string unit = session.study() ? session.study()->step_unit() : "steps";
    ImGui::TextUnformatted(session.pace() > 0.0 ? fmt::format("{:g} {} a second", session.pace(), unit).c_str()
                                                : "as fast as it goes");
    ImGui::SetNextItemWidth(-1.0F);
    int rung = pace_rung(session.pace());
    const int before = rung;
    const int last = static_cast<int>(pace_ladder().size()) - 1;
    ImGui::SliderInt("##pace", &rung, 0, last, "", ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput);
    note_item(ui, "pace", "How fast each seed trains  (keys + and −). At the right end: as fast as it goes.");
    if (rung != before) asks(ask::Pace{pace_ladder()[static_cast<size_t>(rung)]});
}

void draw_reset_all(const Context& context, float width) {
    const auto& [ui, session, asks] = context;
    std::vector<std::string> changed;
    for (const FieldInfo& field : session.settings().fields())
        if (session.settings().value(field.name) != field.default_value) changed.push_back(field.label);
    std::string what = "Nothing differs from its default.";
    if (!changed.empty()) {
        what = changed.size() == 1 ? "One setting differs from its default: "
                                   : fmt::format("{} settings differ from their defaults: ", changed.size());
        what += fmt::format("{}. A click takes them all back.", fmt::join(changed, ", "));
    }
    if (draw_button(ui, "reset all", "Defaults", {width, 0.0F}, what, false, !changed.empty())) asks(ask::Defaults{});
}

void draw_one_field(const Context& context, const FieldInfo& field) {
    const auto& [ui, session, asks] = context;
    const auto chosen = draw_field(
        ui, field, session.settings().value(field.name), session.refusal(field.name),
        session.locked(field.name) ? "The lesson holds this setting." : idle_sentence(field, session.settings()),
        live_range(session, field.name));
    if (chosen) asks(ask::Set{field.name, *chosen});
}

}  // namespace

float chosen_fields_height(const Ui& ui) { return std::round(ImGui::GetFrameHeight() + 2 * ui.px(9)); }

Box draw_chosen_fields(const Context& context, const Box& box, const std::vector<std::string>& names) {
    const auto& [ui, session, asks] = context;
    const std::shared_ptr<const FieldTable> table = session.info().fields;  // keeps it during a change of fields
    std::vector<const FieldInfo*> fields;
    for (const std::string& name : names)
        if (session.settings().has(name)) fields.push_back(&session.settings().info(name));
    const float gap = ui.px(fields.size() > 2 ? 20 : 40);
    const auto count = static_cast<float>(fields.size() + (ui.presenting ? 1 : 0));
    const float width = std::floor((box.size.x - 2 * ui.px(16) - gap * (count - 1)) / count);
    ImVec2 at(box.min.x + ui.px(16), box.min.y + ui.px(9));
    for (const FieldInfo* field : fields) {
        ImGui::SetCursorScreenPos(at);
        ImGui::BeginChild(field->name.c_str(), {width, ImGui::GetFrameHeight()}, false,
                          ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoNav);
        draw_one_field(context, *field);
        ImGui::EndChild();
        at.x += width + gap;
    }
    return {at, {width, ImGui::GetFrameHeight()}};
}

void SettingsPanel::draw_one(const Context& context, const FieldInfo& field) {
    const bool wanted = field.name == wanted_;
    if (wanted && focused_) context.ui.editing->go_to(control_id(field));
    draw_one_field(context, field);
    if (!wanted) return;
    if (!focused_) ImGui::SetScrollHereY();
    wanted_.clear();
}

bool SettingsPanel::matches(const FieldInfo& field) const {
    if (query_.empty()) return true;
    const std::string wanted = small_letters(query_);
    for (const std::string& text : {field.name, field.label, greek(field.label), field.help, field.group})
        if (small_letters(text).find(wanted) != std::string::npos) return true;
    return false;
}

// A setting without effect is hidden, but a search finds it.
bool SettingsPanel::hides(const FieldInfo& field, const Settings& settings) const {
    return query_.empty() && field.name != asked_for_ && !why_idle(settings, field).empty();
}

void SettingsPanel::draw_search(const Context& context) {
    const Ui& ui = context.ui;
    const float space = ui.px(6);
    const float reset = ui.px(74);
    const float clear = query_.empty() ? 0.0F : ui.px(24) + space;
    if (search_wanted_) ImGui::SetKeyboardFocusHere();
    search_wanted_ = false;
    draw_text_field(ui, "search", "search", query_, ImGui::GetContentRegionAvail().x - reset - space - clear,
                    "Shows the settings with this in their name or meaning. Esc leaves.");
    ImGui::SameLine(0.0F, space);
    if (!query_.empty()) {
        if (draw_button(ui, "clear search", "×", {ui.px(24), 0.0F}, "show all settings")) query_.clear();
        ImGui::SameLine(0.0F, space);
    }
    draw_reset_all(context, reset);
    ImGui::Dummy({0.0F, ui.px(2)});
}

// The pace, unless something is searched, and the end of the run.
void SettingsPanel::draw_run(const Context& context) {
    const Session& session = context.session;
    if (query_.empty()) draw_pace(context);
    const auto stop = session.stop_field();
    if (!stop || !matches(session.settings().info(*stop))) return;
    FieldInfo field = session.settings().info(*stop);
    field.label = "Stop after";
    draw_one(context, field);
}

// True if the search has found something in the group.
bool SettingsPanel::draw_group(const Context& context, const std::string& group) {
    const auto& [ui, session, asks] = context;
    // The stop condition stands with the pace.
    const std::string elsewhere = session.stop_field().value_or("");
    std::vector<const FieldInfo*> plain;
    std::vector<const FieldInfo*> advanced;
    for (const FieldInfo& field : session.settings().fields())
        if (field.group == group && field.name != elsewhere && matches(field) && !hides(field, session.settings()))
            // A search also looks behind "more".
            (field.advanced && query_.empty() ? advanced : plain).push_back(&field);
    const bool runs = group == kRunGroup, stops = !elsewhere.empty() && matches(session.settings().info(elsewhere));
    if (plain.empty() && advanced.empty() && !(runs && (query_.empty() || stops))) return false;

    heading_text(ui, capitalised(group));
    if (runs) draw_run(context);
    for (const FieldInfo* field : plain) draw_one(context, *field);
    if (!advanced.empty()) {
        const auto changed = count_if(advanced, [&settings = session.settings()](const FieldInfo* field) {
            return settings.value(field->name) != field->default_value;
        });
        // Changed settings that are folded away are counted.
        const std::string note = changed > 0 ? fmt::format("more  ({} changed)", changed) : "more";
        const std::string label = note + "###more " + group;
        ImGui::PushStyleColor(ImGuiCol_Text, changed > 0 ? ui.colors.text : ui.colors.muted);
        const auto is_wanted = [this](const FieldInfo* field) { return field->name == wanted_; };
        if (any_of(advanced, is_wanted)) ImGui::SetNextItemOpen(true);
        const bool open =
            ImGui::TreeNodeEx(label.c_str(), ImGuiTreeNodeFlags_NoTreePushOnOpen | ImGuiTreeNodeFlags_SpanAvailWidth);
        ImGui::PopStyleColor();
        log_item(ui, "more " + group);
        if (open)
            for (const FieldInfo* field : advanced) draw_one(context, *field);
    }
    ImGui::Dummy({0.0F, ui.px(4)});
    return true;
}

void SettingsPanel::draw(const Context& context, const Box& box) {
    const Panel panel(context.ui, "settings", box, true);
    draw_search(context);
    // References into the table have to outlive a change of fields.
    const std::shared_ptr<const FieldTable> fields = context.session.info().fields;
    bool found = draw_group(context, kRunGroup);
    for (const std::string& group : groups_of(*fields))
        if (group != kRunGroup) found = draw_group(context, group) || found;
    if (found) return;
    ImGui::PushTextWrapPos(0.0F);
    ImGui::TextDisabled("%s", fmt::format("No setting has “{}” in its name or meaning.", query_).c_str());
    ImGui::PopTextWrapPos();
}

}  // namespace emergence
