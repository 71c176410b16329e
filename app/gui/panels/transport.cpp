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

bool at_end(const Session& session) {
    if (!session.live_snapshot()) return false;
    const RunState state = session.live_snapshot()->status.state;
    return state == RunState::finished || state == RunState::failed;
}

void draw_buttons(const Ui& ui, Session& session) {
    const float space = ImGui::GetStyle().ItemSpacing.x;
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = ui.px(36);
    const std::string main_label = at_end(session)       ? "▶  Run again"
                                   : session.advancing() ? "❚❚  Pause"
                                                         : "▶  Run";
    const float wide = std::round((width - space) * 0.62F);
    if (draw_button(ui, "run", main_label, {wide, height}, "Space", true)) session.toggle_running();
    ImGui::SameLine();
    if (draw_button(ui, "step", "Step  →", {width - wide - space, height},
                    "One step, then pause; from the past back to live  (right arrow)"))
        session.step_once();
    const float half = std::round((width - space) / 2);
    if (draw_button(ui, "reset", "Restart", {half, 0}, "The same seeds from the start  (R)")) session.reset();
    ImGui::SameLine();
    if (draw_button(ui, "new seed", "New seeds", {width - half - space, 0},
                    "Start again with seeds not yet used  (N or Shift + R)"))
        session.new_seed();
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

void draw_undo(const Ui& ui, Session& session) {
    const float space = ImGui::GetStyle().ItemSpacing.x;
    const float width = ImGui::GetContentRegionAvail().x;
    const float half = std::round((width - space) / 2);
    const auto button = [&](const char* id, const char* label, float wide, const std::string& change,
                            const char* keys) {
        ImGui::BeginDisabled(change.empty());
        const std::string tooltip = change + "  (" + keys + ")";
        const bool pressed = draw_button(ui, id, label, {wide, 0}, tooltip.c_str());
        ImGui::EndDisabled();
        return pressed;
    };
    if (button("undo", "Undo", half, session.undo_text(), "Ctrl + Z")) session.undo();
    ImGui::SameLine();
    if (button("redo", "Redo", width - half - space, session.redo_text(), "Ctrl + Shift + Z")) session.redo();
}

// The ways to runs that are kept and to many runs at once.
std::optional<Action> draw_keeping(const Ui& ui) {
    const float space = ImGui::GetStyle().ItemSpacing.x;
    const float width = ImGui::GetContentRegionAvail().x;
    // As wide as their words need.
    const float runs = std::round(0.26F * (width - 2 * space)),
                sweeps = std::round(0.33F * (width - 2 * space));
    std::optional<Action> wanted;
    if (draw_button(ui, "runs", "Runs", {runs, 0.0F},
                    "Save the run, resume another, compare them  (Ctrl + O)"))
        wanted = Action::open_runs;
    ImGui::SameLine();
    if (draw_button(ui, "phase diagram", "Sweeps", {sweeps, 0.0F},
                    "Sweep: a score over a grid of one or two settings  (Ctrl + G)"))
        wanted = Action::phase_diagram;
    ImGui::SameLine();
    if (draw_button(ui, "bookmarks", "Bookmarks", {width - runs - sweeps - 2 * space, 0.0F},
                    "Bookmarks: keep this state by a name, copy it as text, paste one  (Ctrl + B)"))
        wanted = Action::bookmarks;
    return wanted;
}

// The experiment, and the ways to preferences and help.
TransportWish draw_title(const Ui& ui, Session& session, ExperimentChooser& chooser) {
    const float side = ImGui::GetFrameHeight();
    const float space = ui.px(4);
    TransportWish wish;
    wish.entry = chooser.draw(ui, session, ImGui::GetContentRegionAvail().x - 2 * (side + space));
    ImGui::SameLine(0.0F, space);
    if (draw_button(ui, "preferences", "≡", {side, 0.0F}, "Preferences: theme, size, threads  (Ctrl + ,)"))
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

TransportWish draw_transport(const Ui& ui, const Box& box, Session& session, ExperimentChooser& chooser) {
    const Panel panel(ui, "transport", box);
    TransportWish wish = draw_title(ui, session, chooser);
    draw_buttons(ui, session);
    draw_undo(ui, session);
    if (const auto keeping = draw_keeping(ui)) wish.action = keeping;
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
