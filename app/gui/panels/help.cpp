#include "app/gui/panels/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/gui/panels/panel.h"
#include "app/gui/shortcuts.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/widget_log.h"

namespace emergence {
namespace {

std::string wait_text(const Session& session) {
    // 0: the lock was free each time it was asked for.
    if (session.longest_wait() == 0.0) return "never";
    return fmt::format("{:.1f} µs", 1e6 * session.longest_wait());
}

void heading(const Ui& ui, const char* text) {
    ImGui::Dummy({0.0F, ui.px(4)});
    ImGui::PushFont(ui.fonts.bold);
    ImGui::TextUnformatted(text);
    ImGui::PopFont();
}

void list_keys(const Ui& ui) {
    heading(ui, "Keys");
    for (const Shortcut& shortcut : shortcuts()) {
        if (*shortcut.keys == '\0') continue;
        ImGui::TextUnformatted(shortcut.keys);
        ImGui::SameLine(ui.px(170));
        ImGui::TextDisabled("%s", shortcut.what);
    }
}

void list_hints(const Ui& ui) {
    heading(ui, "Reading the picture");
    for (const char* hint :
         {"Point at a cell, a curve, a dot or a title: it says what it is.",
          "A matrix on the left is what was learned, beside it is what theory expects.",
          "The strip beside a matrix is its norm; the mark on it is where it started.",
          "Dashed curves are references and companions; one dot at the top stands for one seed.",
          "Drag a slider: the run starts again with the same random numbers.",
          "Ctrl + click a slider to type a value; the round arrow goes back to the default."})
        ImGui::BulletText("%s", hint);
}

}  // namespace

void draw_help(const Ui& ui, const Session& session, const Timing& timing, bool& open) {
    if (!open) return;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
    ImGui::SetNextWindowSizeConstraints({std::min(ui.px(640), display.x), 0.0F},
                                        {display.x, display.y - ui.px(16)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
    ImGui::PushStyleColor(ImGuiCol_Border, ui.colors.axis);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.colors.panel);
    ImGui::SetNextWindowFocus();
    ImGui::Begin("help", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar();
    if (ui.log != nullptr) {
        const ImVec2 min = ImGui::GetWindowPos();
        const ImVec2 size = ImGui::GetWindowSize();
        ui.log->record("panel help", min, {min.x + size.x, min.y + size.y});
    }
    ImGui::PushFont(ui.fonts.bold);
    ImGui::Text("Emergence %s", EMERGENCE_VERSION);
    ImGui::PopFont();
    ImGui::PushTextWrapPos(ui.px(620));
    ImGui::TextUnformatted(greek(session.info().summary).c_str());
    ImGui::PopTextWrapPos();
    list_keys(ui);
    list_hints(ui);
    heading(ui, "This window");
    ImGui::TextDisabled("%.1f ms a frame; the longest it ever waited for the trainer: %s",
                        static_cast<double>(timing.frame_ms), wait_text(session).c_str());
    ImGui::Dummy({0.0F, ui.px(4)});
    if (draw_button(ui, "close help", "Close", {ui.px(110), 0}, "F1 or Esc", true)) open = false;
    ImGui::End();
}

void draw_timing(const Ui& ui, const Session& session, const Timing& timing) {
    const std::string text =
        fmt::format("{:5.1f} ms   {:4.1f} frames/s   longest wait {}", static_cast<double>(timing.frame_ms),
                    static_cast<double>(timing.frames_per_second), wait_text(session));
    const ImVec2 size = text_size(ui.fonts.small, text);
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImVec2 at(std::round((display.x - size.x) / 2), ui.px(6));
    ImDrawList* list = ImGui::GetForegroundDrawList();
    list->AddRectFilled({at.x - ui.px(8), at.y - ui.px(3)},
                        {at.x + size.x + ui.px(8), at.y + size.y + ui.px(3)},
                        with_alpha(ui.colors.window, 0.9F), ui.px(4));
    draw_text(list, ui.fonts.small, at, ui.colors.text, text);
}

void draw_banners(const Ui& ui, const Box& box, Session& session) {
    const std::vector<std::string> banners = session.banners();
    if (banners.empty() || box.size.y <= 0.0F) return;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(12), ui.px(6)});
    const Panel panel(ui, "banner", box);
    ImGui::PopStyleVar();
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(box.min, {box.min.x + ui.px(5), box.max().y}, ui.colors.bad, ui.px(3));
    for (size_t i = 0; i < banners.size(); ++i) {
        const float button = ui.px(28);
        const float width = ImGui::GetContentRegionAvail().x - button - ui.px(16);
        ImGui::AlignTextToFramePadding();
        ImGui::PushStyleColor(ImGuiCol_Text, ui.colors.bad);
        ImGui::TextUnformatted(elided(ui.fonts.body, banners[i], width).c_str());
        ImGui::PopStyleColor();
        explain_item(ui, banners[i]);
        ImGui::SameLine(ImGui::GetWindowWidth() - button - ui.px(10));
        const std::string id = "dismiss " + std::to_string(i);
        if (draw_button(ui, id.c_str(), "×", {button, 0}, "take this away")) session.dismiss_banner(i);
    }
}

}  // namespace emergence
