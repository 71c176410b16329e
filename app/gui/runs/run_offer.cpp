// The question whether to resume an interrupted run.
#include <fmt/format.h>
#include <imgui.h>

#include "app/gui/runs/run_keeper.h"
#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/floating.h"
#include "app/gui/widgets/text.h"
#include "core/base/text.h"

namespace emergence {
namespace {

// Places a small window over the panels, its lower edge in the middle of the area's.
void place_strip(const Ui& ui, const Box& area) {
    ImGui::SetNextWindowPos({area.min.x + area.size.x / 2, area.max().y - ui.px(12)}, ImGuiCond_Always, {0.5F, 1.0F});
}

constexpr ImGuiWindowFlags kStrip =
    Floating::kQuiet | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_AlwaysAutoResize;

}  // namespace

void RunKeeper::draw(const Ui& ui, const Box& area) {
    if (offers_.empty()) return;
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

}  // namespace emergence
