#include "app/gui/panels/transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/setting_row.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"

namespace emergence {
namespace {

std::string pace_text(const Session& session) {
    if (!(session.pace() > 0.0)) return "as fast as it goes";
    const std::string unit = session.study() ? session.study()->step_unit() : "steps";
    return fmt::format("{:g} {} a second", session.pace(), unit);
}

// A button of the command; its tooltip comes from the table.
bool command_button(const Ui& ui, const char* id, const std::string& label, ImVec2 size, Action action,
                    bool strong = false) {
    return draw_button(ui, id, label, size, tooltip_of(action).c_str(), strong);
}

// Disabled while there is a reason, which the tooltip says then.
bool held_button(const Ui& ui, const char* id, const std::string& label, ImVec2 size, const std::string& refusal,
                 const std::string& help, bool strong = false) {
    ImGui::BeginDisabled(!refusal.empty());
    const bool pressed =
        draw_button(ui, id, label, size, refusal.empty() ? help.c_str() : "", strong && refusal.empty());
    ImGui::EndDisabled();
    if (!refusal.empty() && !ui.presenting && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
        explain_beside(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), refusal + ".");
    return pressed;
}

void draw_buttons(const Context& context, const WhyNot& why_not) {
    const auto& [ui, session, asks] = context;
    const float space = ImGui::GetStyle().ItemSpacing.x;
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = ui.px(36);
    const std::string main_label = session.at_end() ? "▶  Run again" : session.advancing() ? "❚❚  Pause" : "▶  Run";
    const float wide = std::round((width - space) * 0.62F), half = std::round((width - space) / 2);
    const auto button = [&, &to = context](const char* id, const std::string& label, ImVec2 size, Action action,
                                           bool strong = false) {
        if (held_button(to.ui, id, label, size, why_not(action), tooltip_of(action), strong)) to.asks(action);
    };
    button("run", main_label, {wide, height}, Action::run_or_pause, true);
    ImGui::SameLine();
    button("step", "Step  →", {width - wide - space, height}, Action::step);
    button("reset", "Restart", {half, 0}, Action::reset);
    ImGui::SameLine();
    button("new seed", "New seeds", {width - half - space, 0}, Action::new_seed);
}

void draw_pace(const Context& context) {
    const auto& [ui, session, asks] = context;
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", "Pace");
    ImGui::SameLine(0.0F, ui.px(10));
    ImGui::TextUnformatted(pace_text(session).c_str());
    ImGui::SetNextItemWidth(-1.0F);
    int rung = pace_rung(session.pace());
    const int before = rung;
    const int last = static_cast<int>(pace_ladder().size()) - 1;
    ImGui::SliderInt("##pace", &rung, 0, last, "", ImGuiSliderFlags_AlwaysClamp | ImGuiSliderFlags_NoInput);
    log_item(ui, "pace");
    explain_item(ui, "How fast each seed trains  (keys + and −). At the right end: as fast as it goes.");
    if (rung != before) asks(ask::Pace{pace_ladder()[static_cast<size_t>(rung)]});
}

// A button of a row, which may be unavailable.
struct WordButton {
    const char* id;
    const char* label;
    Action action;
    std::string help;
    std::string refusal = {};
};

// Side by side, each as wide as its word needs; what is left is shared. Large type in a narrow column has less padding.
void draw_word_row(const Context& context, const std::vector<WordButton>& buttons) {
    const Ui& ui = context.ui;
    const float space = ImGui::GetStyle().ItemSpacing.x;
    const auto count = static_cast<float>(buttons.size());
    float words = 0.0F;
    for (const WordButton& one : buttons) words += ImGui::CalcTextSize(one.label).x;
    const float left = ImGui::GetContentRegionAvail().x - (count - 1) * space - words;
    const float share = std::max(0.0F, std::floor(left / count));
    ImVec2 padding = ImGui::GetStyle().FramePadding;
    padding.x = std::min(padding.x, share / 2);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
    for (const WordButton& one : buttons) {
        const bool last = &one == &buttons.back();
        const float width =
            last ? ImGui::GetContentRegionAvail().x : std::round(ImGui::CalcTextSize(one.label).x) + share;
        if (held_button(ui, one.id, one.label, {width, 0.0F}, one.refusal, one.help)) context.asks(one.action);
        if (!last) ImGui::SameLine(0.0F, space);
    }
    ImGui::PopStyleVar();
}

void draw_undo(const Context& context, const WhyNot& why_not) {
    const Session& session = context.session;
    const auto help = [](const std::string& change, Action action) {
        return fmt::format("{}  ({})", change, command(action).keys);
    };
    draw_word_row(context,
                  {{"undo", "Undo", Action::undo, help(session.undo_text(), Action::undo), why_not(Action::undo)},
                   {"redo", "Redo", Action::redo, help(session.redo_text(), Action::redo), why_not(Action::redo)},
                   {"bookmarks", "Bookmarks", Action::bookmarks, tooltip_of(Action::bookmarks)}});
}

bool has_riddles(const Session& session) { return session.live_snapshot() && session.live_snapshot()->riddles; }

// The ways to lessons, to saved runs and to many runs at once.
void draw_keeping(const Context& context) {
    if (has_riddles(context.session))
        draw_word_row(context,
                      {{"guess open", command(Action::guess).label, Action::guess, tooltip_of(Action::guess)}});
    draw_word_row(context, {{"lessons", "Lessons", Action::open_lessons, tooltip_of(Action::open_lessons)},
                            {"runs", "Runs", Action::open_runs, tooltip_of(Action::open_runs)},
                            {"phase diagram", "Sweeps", Action::phase_diagram, tooltip_of(Action::phase_diagram)}});
}

// The experiment, and the ways to preferences and help.
void draw_title(const Context& context, ExperimentChooser& chooser) {
    const auto& [ui, session, asks] = context;
    const float side = ImGui::GetFrameHeight();
    const float space = ui.px(4);
    chooser.draw(context, ImGui::GetContentRegionAvail().x - 2 * (side + space));
    ImGui::SameLine(0.0F, space);
    if (command_button(ui, "preferences", "≡", {side, 0.0F}, Action::toggle_preferences))
        asks(Action::toggle_preferences);
    ImGui::SameLine(0.0F, space);
    if (draw_button(ui, "help", "?", {side, 0.0F}, "Handbook and keys  (F1)")) asks(Action::toggle_help);
}

}  // namespace

float transport_height(const Ui& ui, const Session& session) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const float frame = ui.fonts.body->FontSize + 2 * style.FramePadding.y;
    float height = 2 * style.WindowPadding.y + ui.px(36) + 6 * frame + 6 * style.ItemSpacing.y;
    if (has_riddles(session)) height += frame + style.ItemSpacing.y;
    if (session.stop_field()) height += frame + style.ItemSpacing.y;
    return std::round(height);
}

void draw_transport(const Context& context, const Box& box, ExperimentChooser& chooser, const WhyNot& why_not) {
    const auto& [ui, session, asks] = context;
    const Panel panel(ui, "transport", box);
    draw_title(context, chooser);
    draw_buttons(context, why_not);
    draw_undo(context, why_not);
    draw_keeping(context);
    draw_pace(context);
    if (const auto stop = session.stop_field()) {
        FieldInfo field = session.settings().info(*stop);
        field.label = "Stop after";
        if (const auto chosen = draw_field(ui, field, session.settings().value(*stop), session.refusal(*stop)))
            asks(ask::Set{*stop, *chosen});
    }
}

}  // namespace emergence
