#include "app/gui/panels/transport.h"

#include <fmt/format.h>

#include <cmath>

#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/setting_row.h"
#include "app/gui/widgets/text.h"

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
bool held_button(const Ui& ui, const char* id, const std::string& label, ImVec2 size,
                 const std::string& refusal, const std::string& help, bool strong = false) {
    ImGui::BeginDisabled(!refusal.empty());
    const bool pressed =
        draw_button(ui, id, label, size, refusal.empty() ? help.c_str() : "", strong && refusal.empty());
    ImGui::EndDisabled();
    if (!refusal.empty() && !ui.presenting && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
        explain_beside(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), refusal + ".");
    return pressed;
}

std::optional<Action> draw_buttons(const Ui& ui, const Session& session, const WhyNot& why_not) {
    const float space = ImGui::GetStyle().ItemSpacing.x;
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = ui.px(36);
    const std::string main_label = session.at_end()      ? "▶  Run again"
                                   : session.advancing() ? "❚❚  Pause"
                                                         : "▶  Run";
    const float wide = std::round((width - space) * 0.62F), half = std::round((width - space) / 2);
    std::optional<Action> wanted;
    const auto button = [&](const char* id, const std::string& label, ImVec2 size, Action action,
                            bool strong = false) {
        if (held_button(ui, id, label, size, why_not(action), tooltip_of(action), strong)) wanted = action;
    };
    button("run", main_label, {wide, height}, Action::run_or_pause, true);
    ImGui::SameLine();
    button("step", "Step  →", {width - wide - space, height}, Action::step);
    button("reset", "Restart", {half, 0}, Action::reset);
    ImGui::SameLine();
    button("new seed", "New seeds", {width - half - space, 0}, Action::new_seed);
    return wanted;
}

void draw_pace(const Ui& ui, Session& session) {
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
    if (rung != before) session.set_pace(pace_ladder()[static_cast<size_t>(rung)]);
}

std::optional<Action> draw_undo(const Ui& ui, const Session& session, const WhyNot& why_not) {
    const float space = ImGui::GetStyle().ItemSpacing.x;
    const float width = ImGui::GetContentRegionAvail().x;
    const float half = std::round((width - space) / 2);
    std::optional<Action> wanted;
    const auto button = [&](const char* id, const char* label, float wide, const std::string& change,
                            Action action) {
        const std::string help = fmt::format("{}  ({})", change, command(action).keys);
        if (held_button(ui, id, label, {wide, 0}, why_not(action), help)) wanted = action;
    };
    button("undo", "Undo", half, session.undo_text(), Action::undo);
    ImGui::SameLine();
    button("redo", "Redo", width - half - space, session.redo_text(), Action::redo);
    return wanted;
}

// The ways to saved runs and to many runs at once.
std::optional<Action> draw_keeping(const Ui& ui) {
    const float space = ImGui::GetStyle().ItemSpacing.x;
    const float width = ImGui::GetContentRegionAvail().x;
    // As wide as their words need.
    float runs = std::round(0.26F * (width - 2 * space)), sweeps = std::round(0.33F * (width - 2 * space));
    const auto of = [](const char* word) { return ImGui::CalcTextSize(word).x; };
    ImVec2 padding = ImGui::GetStyle().FramePadding;
    if (width - runs - sweeps - 2 * space <
        of("Bookmarks") + 2 * padding.x) {  // large type in a narrow column
        const float words = of("Runs") + of("Sweeps") + of("Bookmarks");
        padding.x = std::clamp(std::floor((width - 2 * space - words) / 6), 0.0F, padding.x);
        runs = of("Runs") + 2 * padding.x;
        sweeps = of("Sweeps") + 2 * padding.x;
    }
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
    std::optional<Action> wanted;
    if (command_button(ui, "runs", "Runs", {runs, 0.0F}, Action::open_runs)) wanted = Action::open_runs;
    ImGui::SameLine();
    if (command_button(ui, "phase diagram", "Sweeps", {sweeps, 0.0F}, Action::phase_diagram))
        wanted = Action::phase_diagram;
    ImGui::SameLine();
    if (command_button(ui, "bookmarks", "Bookmarks", {width - runs - sweeps - 2 * space, 0.0F},
                       Action::bookmarks))
        wanted = Action::bookmarks;
    ImGui::PopStyleVar();
    return wanted;
}

// The experiment, and the ways to preferences and help.
TransportWish draw_title(const Ui& ui, Session& session, ExperimentChooser& chooser) {
    const float side = ImGui::GetFrameHeight();
    const float space = ui.px(4);
    TransportWish wish;
    wish.entry = chooser.draw(ui, session, ImGui::GetContentRegionAvail().x - 2 * (side + space));
    ImGui::SameLine(0.0F, space);
    if (command_button(ui, "preferences", "≡", {side, 0.0F}, Action::toggle_preferences))
        wish.action = Action::toggle_preferences;
    ImGui::SameLine(0.0F, space);
    if (draw_button(ui, "help", "?", {side, 0.0F}, "Handbook and keys  (F1)"))
        wish.action = Action::toggle_help;
    return wish;
}

}  // namespace

float transport_height(const Ui& ui, const Session& session) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const float frame = ui.fonts.body->FontSize + 2 * style.FramePadding.y;
    float height = 2 * style.WindowPadding.y + ui.px(36) + 6 * frame + 6 * style.ItemSpacing.y;
    if (session.stop_field()) height += frame + style.ItemSpacing.y;
    return std::round(height);
}

TransportWish draw_transport(const Ui& ui, const Box& box, Session& session, ExperimentChooser& chooser,
                             const WhyNot& why_not) {
    const Panel panel(ui, "transport", box);
    TransportWish wish = draw_title(ui, session, chooser);
    for (const auto& pressed :
         {draw_buttons(ui, session, why_not), draw_undo(ui, session, why_not), draw_keeping(ui)})
        if (pressed) wish.action = pressed;
    draw_pace(ui, session);
    if (const auto stop = session.stop_field()) {
        FieldInfo field = session.settings().info(*stop);
        field.label = "Stop after";
        if (const auto chosen =
                draw_field(ui, field, session.settings().value(*stop), session.refusal(*stop)))
            session.set_field(*stop, *chosen);
    }
    return wish;
}

}  // namespace emergence
