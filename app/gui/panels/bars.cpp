#include "app/gui/panels/bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/gui/commands/command.h"
#include "app/gui/panels/timeline.h"
#include "app/gui/shell/clock.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/text.h"
#include "core/lab/views/run_views.h"

namespace emergence {
namespace {

// Lengths of the design.
constexpr float kHeight = 36.0F, kAbove = 8.0F, kMargin = 10.0F, kBeside = 4.0F, kParted = 14.0F;
constexpr float kSettings = 112.0F, kRun = 128.0F, kStep = 88.0F, kMostTitle = 420.0F;
constexpr float kTitleShare = 0.45F;  // the rest is for messages

// "410", "3.2 k".
std::string rate_text(double per_second) {
    if (!(per_second > 0.0) || !std::isfinite(per_second)) return "0";
    if (per_second < 10.0) return fmt::format("{:.1f}", per_second);
    if (per_second < 10000.0) return fmt::format("{:.0f}", per_second);
    return fmt::format("{:.1f} k", per_second / 1000.0);
}

ImU32 state_color(const Ui& ui, RunState state) {
    const Colors& all = ui.colors;  // green is for networks that have emerged
    return std::array{all.accent, all.warning, all.muted, all.bad}[static_cast<size_t>(state)];
}

// Networks train; algorithms only run.
bool trains(const Snapshot& snapshot) { return snapshot.seed_word == "seed"; }

bool goes_on_alone_in_b(const Session& session) {
    const auto runs = [](const Snapshot& of) { return of.status.state == RunState::running; };
    return session.other() && session.other()->live() && runs(*session.other()->live()) &&
           !runs(*session.live_snapshot());
}

// Also says that B still trains, if A does not.
std::string state_words(const Session& session) {
    const Snapshot& live = *session.live_snapshot();
    const std::string state = state_name(live.status.state);
    return goes_on_alone_in_b(session) ? state + (trains(live) ? ", B trains" : ", B runs") : state;
}

std::vector<std::string> facts_of(const Snapshot& snapshot) {
    const RunStatus& status = snapshot.status;
    std::vector<std::string> facts;
    if (status.state == RunState::running) {
        facts.push_back(rate_text(status.steps_per_second) + " " + snapshot.step_unit + "/s");
        const double left = static_cast<double>(status.target_step - snapshot.step);
        facts.push_back(
            (status.steps_per_second > 0.0 ? clock_text(left / status.steps_per_second) : std::string("–")) + " left");
    }
    facts.push_back((trains(snapshot) ? "trained " : "ran ") + clock_text(status.elapsed_seconds));
    facts.push_back(counted(snapshot.seeds.size(), counted_as(snapshot.seed_word)));
    facts.push_back(counted(status.threads, "thread"));
    return facts;
}

}  // namespace

float transport_height(const Ui& ui) { return ui.px(kHeight + 2 * kAbove); }

Box draw_transport(const Context& context, const Box& box, ExperimentChooser& chooser, const WhyNot& why_not) {
    const auto& [ui, session, asks] = context;
    const Panel panel(ui, "transport", box);
    const float height = ui.px(kHeight);
    const float first_sign = box.max().x - ui.px(kMargin - kBeside + 2 * (kHeight + kBeside));
    ImVec2 at(box.min.x + ui.px(kMargin), box.min.y + ui.px(kAbove));
    const auto button = [&](const char* id, const std::string& label, float width, Action action, bool strong = false) {
        ImGui::SetCursorScreenPos(at);
        const std::string refusal = why_not(action);
        const bool free = refusal.empty();
        if (draw_button(context.ui, id, label, {context.ui.px(width), height},
                        free ? tooltip_of(action) : refusal + ".", strong && free, free))
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

const char* state_name(RunState state) {
    return std::array{"running", "paused", "finished", "failed"}[static_cast<size_t>(state)];
}

void draw_status(const Ui& ui, const Box& box, const Session& session) {
    const Panel panel(ui, "status", box);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float middle = std::round(box.min.y + box.size.y / 2);
    float x = box.min.x + ui.px(16);
    const auto put = [&](const ImFont* font, ImU32 color, const std::string& text) {
        draw_text_placed(list, font, {x, middle}, Placed::left, color, text);
        x += text_size(font, text).x;
    };
    if (!session.live_snapshot()) {
        put(ui.fonts.body, ui.colors.muted, "getting ready…");
        return;
    }
    const Snapshot& snapshot = *session.live_snapshot();
    const RunStatus& status = snapshot.status;
    list->AddCircleFilled({x + ui.px(5), middle}, ui.px(5), state_color(ui, status.state));
    x += ui.px(18);
    const std::string state = state_words(session);
    if (ui.log != nullptr) ui.log->record(state, {x, box.min.y}, {x + text_size(ui.fonts.bold, state).x, box.max().y});
    put(ui.fonts.bold, ui.colors.text, state);
    if (!status.reason.empty()) {
        x += ui.px(8);
        put(ui.fonts.body, ui.colors.bad, elided(ui.fonts.body, status.reason, box.size.x * 0.35F));
    }
    // The moment has a fixed place, so that it does not move with every word before it.
    x = std::max(x + ui.px(20), box.min.x + ui.px(120));
    const bool live = session.time().live();
    put(live ? ui.fonts.body : ui.fonts.bold, live ? ui.colors.text : ui.colors.warning, moment_text(session));
    if (session.other() && session.other()->live()) {
        x += ui.px(14);
        put(ui.fonts.body, side_color(ui, true),
            fmt::format("B {} {}", session.other()->live()->step, snapshot.step_unit));
    }
    if (const auto step = session.going_to()) {
        x += ui.px(14);
        put(ui.fonts.bold, ui.colors.warning, fmt::format("going to step {}, then pauses", *step));
    }
    float right = box.max().x - ui.px(16);
    for (const std::string& fact : facts_of(snapshot)) {
        const float width = std::max(text_size(ui.fonts.body, fact).x, ui.px(70));
        if (right - width < x + ui.px(12)) break;
        draw_text_placed(list, ui.fonts.body, {right, middle}, Placed::right, ui.colors.muted, fact);
        right -= width + ui.px(22);
    }
}

void draw_status_for_class(const Context& context, const Box& box, bool emergence) {
    const auto& [ui, session, asks] = context;
    if (!session.live_snapshot()) return;
    const Snapshot& live = *session.live_snapshot();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float middle = std::round(box.min.y + box.size.y / 2);
    const bool rest = trains(live) && live.step > 0 && !goes_on_alone_in_b(session) &&
                      (live.status.state == RunState::paused || live.status.state == RunState::finished);
    const std::string state = rest ? kWeightsRest : state_words(session);
    const std::string shown = moment_text(session);
    const ImVec2 badge = badge_size(ui, state);
    const ImVec2 at(box.min.x, std::round(middle - badge.y / 2));
    if (rest)
        draw_badge(ui, list, at, state);
    else
        draw_text(list, ui.fonts.bold, {at.x + ui.px(18), at.y + ui.px(4)}, ui.colors.text, state);
    if (!rest) list->AddCircleFilled({at.x + ui.px(6), middle}, ui.px(6), state_color(ui, live.status.state));
    if (ui.log != nullptr) ui.log->record(state, at, {at.x + badge.x, at.y + badge.y});
    float right = box.max().x;
    if (session.other() && session.other()->live() && session.other()->live()->step != live.step) {
        const std::string other = fmt::format("B {} {}", session.other()->live()->step, live.step_unit);
        right -= text_size(ui.fonts.body, other).x;
        draw_text_placed(list, ui.fonts.body, {right, middle}, Placed::left, side_color(ui, true), other);
        right -= ui.px(14);
    }
    // The track keeps its width while the user goes through time.
    const int64_t widest = std::max(live.step, live.status.target_step);
    right -= std::max(text_size(ui.fonts.body, fmt::format("{0} of {0} {1}", widest, live.step_unit)).x,
                      text_size(ui.fonts.body, shown).x);
    draw_text_placed(list, ui.fonts.body, {right, middle}, Placed::left,
                     session.time().live() ? ui.colors.muted : ui.colors.warning, shown);
    const float left = at.x + badge.x + ui.px(14), end = right - ui.px(14);
    if (end - left <= ui.px(40)) return;
    draw_time_track(context, {left, box.min.y}, {end - left, box.size.y}, emergence);
}

bool draw_splitters(const Ui& ui, const Layout& layout, Splits& splits) {
    bool held = false;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0F, 1.0F});
    int index = 0;
    for (const Splitter& splitter : layout.splitters) {
        const std::string name = fmt::format("splitter {}", index++);
        const Panel panel(ui, name.c_str(), splitter.box);
        draw_place(ui, name, splitter.box.min, splitter.box.size);
        const bool active = ImGui::IsItemActive();
        held = held || active;
        if (active || ImGui::IsItemHovered()) {
            ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
            const ImVec2 min = splitter.box.min, max = splitter.box.max();
            ImGui::GetWindowDrawList()->AddRectFilled({min.x + ui.px(2), min.y}, {max.x - ui.px(2), max.y},
                                                      with_alpha(ui.colors.accent, active ? 0.9F : 0.5F), ui.px(2));
        }
        if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
            splits.*splitter.length = 0.0F;
        } else if (active && ImGui::IsMouseDragging(ImGuiMouseButton_Left, ui.px(2))) {
            const float half = splitter.box.size.x / 2;
            const float length = splitter.sign * (ImGui::GetMousePos().x - splitter.origin) - half;
            splits.*splitter.length = std::clamp(length, splitter.minimum, splitter.maximum) / ui.scale;
        }
    }
    ImGui::PopStyleVar(2);
    return held;
}

}  // namespace emergence
