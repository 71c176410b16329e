// The two questions about runs: whether to resume an interrupted one, and whether to discard one that is not saved.
#include <fmt/format.h>
#include <imgui_internal.h>

#include <utility>

#include "app/gui/runs/run_keeper.h"
#include "app/gui/shell/clock.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/floating.h"
#include "app/gui/widgets/text.h"
#include "core/base/local_time.h"
#include "core/base/text.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

// Places a small window over the panels, its lower edge in the middle of the area's.
void place_strip(const Ui& ui, const Box& area) {
    ImGui::SetNextWindowPos({area.min.x + area.size.x / 2, area.max().y - ui.px(12)}, ImGuiCond_Always, {0.5F, 1.0F});
}

constexpr ImGuiWindowFlags kStrip =
    Floating::kQuiet | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_AlwaysAutoResize;

}  // namespace

void RunKeeper::draw(const Context& context, const Box& area) {
    if (asks())
        draw_question(context, area);
    else if (!offers_.empty())
        draw_offer(context.ui, area);
}

void RunKeeper::draw_offer(const Ui& ui, const Box& area) {
    const RunToOpen& run = offers_.front();
    place_strip(ui, area);
    const Floating strip(ui, "offer", ui.colors.accent, kStrip);
    const size_t count = offers_.size();
    heading_text(ui, count == 1 ? "A run was interrupted. Resume it?"
                                : fmt::format("{} runs were interrupted. Resume the last one?", count).c_str());
    const std::string facts =
        fmt::format("{}, {}, step {}, saved {}", run.experiment->title, counted(run.checkpoint->seeds.size(), "seed"),
                    run.checkpoint->settings.step.value_or(0), local_time(run.saved_at, "%Y-%m-%d %H:%M"));
    ImGui::TextUnformatted(facts.c_str());
    ImGui::PushFont(ui.fonts.small);
    ImGui::TextDisabled("%s", run.folder.filename().c_str());
    if (!run.notice.empty()) {
        ImGui::PushTextWrapPos(ui.px(520));
        wrapped_text(run.notice);
        ImGui::PopTextWrapPos();
    }
    ImGui::PopFont();
    const bool go_on = draw_button(ui, "offer go on", "Resume", {ui.px(120), 0.0F},
                                   "Takes the place of the present run: same settings, weights and random numbers, "
                                   "as if it had never stopped.",
                                   true);
    ImGui::SameLine();
    const bool leave =
        draw_button(ui, "offer leave", "Not now", {ui.px(120), 0.0F}, "Its folder stays, and it is not offered again.");
    if (go_on || leave) answer(go_on);
}

void RunKeeper::draw_question(const Context& context, const Box& area) {
    const auto& [ui, session, answers] = context;
    const Snapshot& live = *session.live_snapshot();
    place_strip(ui, area);
    const Floating strip(ui, "leave", ui.colors.accent, kStrip);
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());  // a question is never covered
    heading_text(ui, "This run is not saved. Discard it?");
    ImGui::TextUnformatted(fmt::format("{}, {}, step {} of {}, {} of training.", session.info().title,
                                       counted(live.seeds.size(), "seed"), live.step, live.status.target_step,
                                       clock_text(live.status.elapsed_seconds))
                               .c_str());
    ImGui::PushFont(ui.fonts.small);
    ImGui::TextDisabled("%s", (question_.name + ": takes the place of this run.").c_str());
    if (runs_.empty()) ImGui::TextDisabled("It cannot be saved: no folder for runs is known.");
    ImGui::PopFont();
    bool keep = false;
    if (!runs_.empty()) {
        keep = draw_button(ui, "leave keep", "Save first", {ui.px(130), 0.0F},
                           "Saves the run in a folder that Ctrl + O lists.", true);
        ImGui::SameLine();
    }
    const bool discard = draw_button(ui, "leave go", "Discard", {ui.px(110), 0.0F},
                                     "Ctrl + Z returns to it as long as the window is open.");
    ImGui::SameLine();
    if (draw_button(ui, "leave stay", "Cancel", {ui.px(110), 0.0F}, "Keeps this run in the window.")) stay();
    if (keep || discard) answers(ask::LeaveRun{keep});
}

void RunKeeper::go(bool save_first, Session& session, Toasts& toasts) {
    if (!asks()) return;
    Wish departure = std::exchange(question_, {});
    departure.for_good = save_first;  // what is only autosaved goes when room is needed
    if (save_first)
        wish(session, std::move(departure));
    else
        departure.then(session, toasts, kWayBack);
}

}  // namespace emergence
