#include "app/gui/panels/transport.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/gui/commands/command.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/tooltip.h"

namespace emergence {
namespace {

// Disabled while there is a reason, which the tooltip says then.
bool held_button(const Ui& ui, const char* id, const std::string& label, ImVec2 size, const std::string& refusal,
                 const std::string& help, bool strong) {
    ImGui::BeginDisabled(!refusal.empty());
    const bool pressed =
        draw_button(ui, id, label, size, refusal.empty() ? help.c_str() : "", strong && refusal.empty());
    ImGui::EndDisabled();
    if (!refusal.empty() && !ui.presenting && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
        explain_beside(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), refusal + ".");
    return pressed;
}

bool has_riddles(const Session& session) { return session.live_snapshot() && session.live_snapshot()->riddles; }

// Lengths of the design.
constexpr float kHeight = 36.0F, kMargin = 10.0F, kBeside = 4.0F, kParted = 14.0F;
constexpr float kSettings = 112.0F, kRun = 128.0F, kStep = 88.0F;
constexpr float kLeastTitle = 230.0F, kMostTitle = 420.0F;

// The menu and the handbook; the bench has its game.
float signs_width(const Session& session) { return (has_riddles(session) ? 3 : 2) * (kHeight + kBeside) - kBeside; }

// All but the settings' button and the title.
float others_width(const Ui& ui, const Session& session) {
    return ui.px(kRun + kBeside + kStep + 2 * kParted + signs_width(session));
}

bool in_one_row(const Ui& ui, const Session& session, float width) {
    return width - ui.px(2 * kMargin + kSettings + 2 * kBeside) >= others_width(ui, session) + ui.px(kLeastTitle);
}

}  // namespace

float transport_height(const Ui& ui, const Session& session, float width) {
    return in_one_row(ui, session, width) ? ui.px(kHeight) + 2 * ui.px(8) : 2 * ui.px(kHeight) + 3 * ui.px(8);
}

void draw_transport(const Context& context, const Box& box, ExperimentChooser& chooser, const WhyNot& why_not) {
    const auto& [ui, session, asks] = context;
    const Panel panel(ui, "transport", box);
    const bool one_row = in_one_row(ui, session, box.size.x);
    const float end = box.max().x - ui.px(kMargin), height = ui.px(kHeight);
    ImVec2 at(box.min.x + ui.px(kMargin), box.min.y + ui.px(8));
    const auto button = [&](const char* id, const std::string& label, float width, Action action, bool strong = false) {
        ImGui::SetCursorScreenPos(at);
        if (held_button(context.ui, id, label, {context.ui.px(width), height}, why_not(action), tooltip_of(action),
                        strong))
            context.asks(action);
        at.x += context.ui.px(width) + context.ui.px(kBeside);
    };
    button("settings open", "≡  Settings", kSettings, Action::toggle_settings);
    at.x += ui.px(kBeside);
    const float room = end - at.x - (one_row ? others_width(ui, session) : 0.0F);
    const float title = one_row ? std::min(room, ui.px(kMostTitle)) : room;
    ImGui::SetCursorScreenPos(at);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        {ImGui::GetStyle().FramePadding.x, std::floor((height - ImGui::GetFontSize()) / 2)});
    chooser.draw(context, title);
    ImGui::PopStyleVar();
    at.x += title + ui.px(kParted);
    if (!one_row) at = {box.min.x + ui.px(kMargin), at.y + height + ui.px(8)};
    button("run",
           session.at_end()      ? "▶  Run again"
           : session.advancing() ? "❚❚  Pause"
                                 : "▶  Run",
           kRun, Action::run_or_pause, true);
    button("step", "Step  →", kStep, Action::step);
    at.x = end - ui.px(signs_width(session));
    if (has_riddles(session)) button("guess open", "⚖", kHeight, Action::guess);
    ImGui::SetCursorScreenPos(at);
    if (draw_button(ui, "menu", "⋯", {height, height}, "Everything else, in words, with its keys")) open_command_menu();
    draw_command_menu(context, {end, at.y + height + ui.px(4)}, why_not);
    at.x += height + ui.px(kBeside);
    button("help", "?", kHeight, Action::toggle_help);
}

}  // namespace emergence
