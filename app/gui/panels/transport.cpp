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

// Lengths of the design.
constexpr float kHeight = 36.0F, kAbove = 8.0F, kMargin = 10.0F, kBeside = 4.0F, kParted = 14.0F;
constexpr float kSettings = 112.0F, kRun = 128.0F, kStep = 88.0F, kMostTitle = 420.0F;
constexpr float kTitleShare = 0.45F;  // the rest is for messages

}  // namespace

float transport_height(const Ui& ui) { return ui.px(kHeight + 2 * kAbove); }

Box draw_transport(const Context& context, const Box& box, ExperimentChooser& chooser, const WhyNot& why_not) {
    const auto& [ui, session, asks] = context;
    const Panel panel(ui, "transport", box);
    const float height = ui.px(kHeight);
    // Of the menu and the handbook.
    const float first_sign = box.max().x - ui.px(kMargin - kBeside + 2 * (kHeight + kBeside));
    ImVec2 at(box.min.x + ui.px(kMargin), box.min.y + ui.px(kAbove));
    const auto button = [&](const char* id, const std::string& label, float width, Action action, bool strong = false) {
        ImGui::SetCursorScreenPos(at);
        if (held_button(context.ui, id, label, {context.ui.px(width), height}, why_not(action), tooltip_of(action),
                        strong))
            context.asks(action);
        at.x += context.ui.px(width) + context.ui.px(kBeside);
    };
    button("settings open", "≡  Settings", kSettings, Action::toggle_settings);
    at.x += ui.px(kBeside);
    const float room = first_sign - at.x - ui.px(kRun + kBeside + kStep + 2 * kParted);
    const float title = std::round(std::min(kTitleShare * room, ui.px(kMostTitle)));
    ImGui::SetCursorScreenPos(at);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        {ImGui::GetStyle().FramePadding.x, std::floor((height - ImGui::GetFontSize()) / 2)});
    chooser.draw(context, title);
    ImGui::PopStyleVar();
    at.x += title + ui.px(kParted);
    button("run",
           session.at_end()      ? "▶  Run again"
           : session.advancing() ? "❚❚  Pause"
                                 : "▶  Run",
           kRun, Action::run_or_pause, true);
    button("step", "Step  →", kStep, Action::step);
    const Box messages{{at.x + ui.px(kParted), at.y}, {std::max(1.0F, first_sign - at.x - 2 * ui.px(kParted)), height}};
    at.x = first_sign;
    ImGui::SetCursorScreenPos(at);
    if (draw_button(ui, "menu", "⋯", {height, height}, "Everything else, in words, with its keys")) open_command_menu();
    draw_command_menu(context, {box.max().x - ui.px(kMargin), at.y + height + ui.px(4)}, why_not);
    at.x += height + ui.px(kBeside);
    button("help", "?", kHeight, Action::toggle_help);
    return messages;
}

}  // namespace emergence
