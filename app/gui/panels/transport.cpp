#include "app/gui/panels/transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/tooltip.h"

namespace emergence {
namespace {

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

bool has_riddles(const Session& session) { return session.live_snapshot() && session.live_snapshot()->riddles; }

// A sign; its name is in the tooltip.
struct Sign {
    const char* id;
    const char* sign;
    Action action;
    bool parted = false;  // from the one before
    std::string refusal = {};
    std::string change = {};  // that it takes back or repeats
};

std::vector<Sign> signs_of(const Session& session, const WhyNot& why_not) {
    std::vector<Sign> signs = {
        {"reset", "↺", Action::reset, true, why_not(Action::reset)},
        {"new seed", "⚄", Action::new_seed, false, why_not(Action::new_seed)},
        {"undo", "↶", Action::undo, true, why_not(Action::undo), session.undo_text()},
        {"redo", "↷", Action::redo, false, why_not(Action::redo), session.redo_text()},
        {"lessons", "✎", Action::open_lessons, true},
        {"bookmarks", "★", Action::bookmarks},
        {"runs", "▤", Action::open_runs},
        {"phase diagram", "▦", Action::phase_diagram},
        {"preferences", "⚙", Action::toggle_preferences, true},
        {"help", "?", Action::toggle_help},
    };
    if (has_riddles(session)) signs.insert(signs.begin(), {"guess open", "⚖", Action::guess, true});
    return signs;
}

// Lengths of the design.
constexpr float kHeight = 36.0F, kMargin = 10.0F, kBeside = 4.0F, kParted = 14.0F;
constexpr float kSettings = 112.0F, kRun = 128.0F, kStep = 88.0F;
constexpr float kLeastTitle = 230.0F, kMostTitle = 420.0F;

float signs_width(const Ui& ui, const std::vector<Sign>& signs) {
    float width = 0.0F;
    for (const Sign& one : signs) width += ui.px(kHeight) + ui.px(one.parted ? kParted : kBeside);
    return width;
}

// All but the title.
float others_width(const Ui& ui, const std::vector<Sign>& signs) {
    return ui.px(kSettings) + ui.px(kRun) + ui.px(kStep) + 3 * ui.px(kParted) + signs_width(ui, signs);
}

bool in_one_row(const Ui& ui, const std::vector<Sign>& signs, float width) {
    return width - 2 * ui.px(kMargin) >= others_width(ui, signs) + ui.px(kLeastTitle);
}

void draw_signs(const Context& context, const std::vector<Sign>& signs, ImVec2 at) {
    const Ui& ui = context.ui;
    for (const Sign& one : signs) {
        at.x += ui.px(one.parted ? kParted : kBeside);
        ImGui::SetCursorScreenPos(at);
        const std::string help =
            one.change.empty() ? tooltip_of(one.action) : fmt::format("{}  ({})", one.change, command(one.action).keys);
        if (held_button(ui, one.id, one.sign, {ui.px(kHeight), ui.px(kHeight)}, one.refusal, help))
            context.asks(one.action);
        at.x += ui.px(kHeight);
    }
}

}  // namespace

float transport_height(const Ui& ui, const Session& session, float width) {
    const bool one = in_one_row(ui, signs_of(session, [](Action) { return std::string(); }), width);
    return one ? ui.px(kHeight) + 2 * ui.px(8) : 2 * ui.px(kHeight) + 3 * ui.px(8);
}

void draw_transport(const Context& context, const Box& box, ExperimentChooser& chooser, const WhyNot& why_not) {
    const auto& [ui, session, asks] = context;
    const Panel panel(ui, "transport", box);
    const std::vector<Sign> signs = signs_of(session, why_not);
    const bool one_row = in_one_row(ui, signs, box.size.x);
    const float end = box.max().x - ui.px(kMargin), height = ui.px(kHeight);
    ImVec2 at(box.min.x + ui.px(kMargin), box.min.y + ui.px(8));
    const auto button = [&](const char* id, const std::string& label, float width, Action action, bool strong) {
        ImGui::SetCursorScreenPos(at);
        if (held_button(context.ui, id, label, {context.ui.px(width), height}, why_not(action), tooltip_of(action),
                        strong))
            context.asks(action);
        at.x += context.ui.px(width) + context.ui.px(kBeside);
    };
    button("settings open", "≡  Settings", kSettings, Action::toggle_settings, false);
    at.x += ui.px(kBeside);
    const float room = end - at.x - (one_row ? others_width(ui, signs) - ui.px(kSettings) - ui.px(kParted) : 0.0F);
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
    button("step", "Step  →", kStep, Action::step, false);
    draw_signs(context, signs, {std::max(at.x - ui.px(kBeside), end - signs_width(ui, signs)), at.y});
}

}  // namespace emergence
