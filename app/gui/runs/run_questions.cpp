// The two questions about runs: whether to resume an interrupted one, and whether to discard one that is not saved.
#include <fmt/format.h>

#include <utility>

#include "app/gui/runs/run_keeper.h"
#include "app/gui/shell/widget_log.h"
#include "app/gui/widgets/panel.h"
#include "core/base/local_time.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

std::string seeds_text(size_t count) { return fmt::format("{} seed{}", count, count == 1 ? "" : "s"); }

// Begins a small window over the panels, its lower edge in the middle of the area's, with a heading.
void begin_strip(const Ui& ui, const Box& area, const char* name, const std::string& heading) {
    ImGui::SetNextWindowPos({area.min.x + area.size.x / 2, area.max().y - ui.px(12)}, ImGuiCond_Always,
                            {0.5F, 1.0F});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
    ImGui::PushStyleColor(ImGuiCol_Border, ui.colors.accent);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.colors.panel);
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar();
    const ImVec2 at = ImGui::GetWindowPos();
    const ImVec2 size = ImGui::GetWindowSize();
    if (ui.log != nullptr) ui.log->record(std::string("panel ") + name, at, {at.x + size.x, at.y + size.y});
    ImGui::PushFont(ui.fonts.bold);
    ImGui::TextUnformatted(heading.c_str());
    ImGui::PopFont();
}

}  // namespace

void RunKeeper::draw(const Ui& ui, const Box& area, Session& session, Toasts& toasts) {
    if (asks())
        draw_question(ui, area, session, toasts);
    else if (!offers_.empty())
        draw_offer(ui, area);
}

void RunKeeper::draw_offer(const Ui& ui, const Box& area) {
    const RunToOpen& run = offers_.front();
    begin_strip(ui, area, "offer",
                offers_.size() == 1
                    ? "A run was interrupted. Resume it?"
                    : fmt::format("{} runs were interrupted. Resume the last one?", offers_.size()));
    const std::string facts = fmt::format(
        "{}, {}, step {}, saved {}", run.experiment->title, seeds_text(run.checkpoint->seeds.size()),
        run.checkpoint->settings.step.value_or(0), local_time(run.saved_at, "%Y-%m-%d %H:%M"));
    ImGui::TextUnformatted(facts.c_str());
    ImGui::PushFont(ui.fonts.small);
    ImGui::TextDisabled("%s", run.folder.filename().c_str());
    if (!run.notice.empty()) {
        ImGui::PushTextWrapPos(ui.px(520));
        ImGui::TextUnformatted(run.notice.c_str());
        ImGui::PopTextWrapPos();
    }
    ImGui::PopFont();
    const bool go_on =
        draw_button(ui, "offer go on", "Resume", {ui.px(120), 0.0F},
                    "Takes the place of the present run: same settings, weights and random numbers, "
                    "as if it had never stopped.",
                    true);
    ImGui::SameLine();
    const bool leave = draw_button(ui, "offer leave", "Not now", {ui.px(120), 0.0F},
                                   "Its folder stays, and it is not offered again.");
    ImGui::End();
    if (go_on || leave) answer(go_on);
}

void RunKeeper::draw_question(const Ui& ui, const Box& area, Session& session, Toasts& toasts) {
    const Snapshot& live = *session.live_snapshot();
    begin_strip(ui, area, "leave", "This run is not saved. Discard it?");
    ImGui::TextUnformatted(fmt::format("{}, {}, step {} of {}, {} of training.", session.info().title,
                                       seeds_text(live.seeds.size()), live.step, live.status.target_step,
                                       duration_text(live.status.elapsed_seconds))
                               .c_str());
    ImGui::PushFont(ui.fonts.small);
    ImGui::TextDisabled("%s", (question_.to + ": takes the place of this run.").c_str());
    ImGui::PopFont();
    bool keep = false;
    if (!runs_.empty()) {
        keep = draw_button(ui, "leave keep", "Save first", {ui.px(130), 0.0F},
                           "Saves the run in a folder that Ctrl + O lists.", true);
        ImGui::SameLine();
    }
    const bool go = draw_button(ui, "leave go", "Discard", {ui.px(110), 0.0F},
                                "Ctrl + Z returns to it: it trains again from the start, to the same bits.");
    ImGui::SameLine();
    const bool stays =
        draw_button(ui, "leave stay", "Cancel", {ui.px(110), 0.0F}, "Keeps this run in the window.");
    ImGui::End();
    if (stays) stay();
    if (!keep && !go) return;
    Then then = std::exchange(question_, {}).then;
    way_back_ = keep ? kSavedBefore : kTrainedAgain;
    if (keep)
        keep_then(session, toasts, std::move(then));
    else
        then(session, toasts);
}

}  // namespace emergence
