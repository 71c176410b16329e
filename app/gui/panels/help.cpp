#include "app/gui/panels/help.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/panels/dialog.h"
#include "app/gui/panels/panel.h"
#include "app/gui/shortcuts.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/widget_log.h"
#include "core/base/version.h"

namespace emergence {
namespace {

std::string wait_text(const Session& session) {
    // 0: the lock was free each time it was asked for.
    if (session.longest_wait() == 0.0) return "never";
    return fmt::format("{:.1f} µs", 1e6 * session.longest_wait());
}

void spaced_heading(const Ui& ui, const char* text) {
    ImGui::Dummy({0.0F, ui.px(4)});
    ImGui::PushFont(ui.fonts.bold);
    ImGui::TextUnformatted(text);
    ImGui::PopFont();
}

// The keys of the table, a list for each topic in the order of their first ones.
std::vector<std::pair<std::string, std::vector<const Shortcut*>>> keys_by_topic() {
    std::vector<std::pair<std::string, std::vector<const Shortcut*>>> topics;
    for (const Shortcut& shortcut : shortcuts()) {
        if (*shortcut.keys == '\0') continue;
        const std::string topic = topic_of(shortcut.action);
        auto found =
            std::find_if(topics.begin(), topics.end(), [&](const auto& t) { return t.first == topic; });
        if (found == topics.end()) found = topics.insert(topics.end(), {topic, {}});
        found->second.push_back(&shortcut);
    }
    return topics;
}

void list_topic(const Ui& ui, const std::string& topic, const std::vector<const Shortcut*>& keys) {
    spaced_heading(ui, topic.c_str());
    ImGui::PushFont(ui.fonts.small);
    const float left = ImGui::GetCursorPosX();
    for (const Shortcut* shortcut : keys) {
        ImGui::TextUnformatted(shortcut->keys);
        ImGui::SameLine();
        ImGui::SetCursorPosX(left + ui.px(112));
        ImGui::TextDisabled("%s", shortcut->what);
    }
    ImGui::PopFont();
}

// In two columns of about the same length.
void list_keys(const Ui& ui) {
    const auto topics = keys_by_topic();
    size_t lines = 0;
    for (const auto& [topic, keys] : topics) lines += keys.size() + 2;
    if (!ImGui::BeginTable("keys", 2, ImGuiTableFlags_SizingFixedFit)) return;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    size_t listed = 0;
    bool second = false;
    for (const auto& [topic, keys] : topics) {
        if (!second && listed > 0 && 2 * listed + keys.size() + 2 > lines) {
            ImGui::TableNextColumn();
            second = true;
        }
        list_topic(ui, topic, keys);
        listed += keys.size() + 2;
    }
    ImGui::EndTable();
}

void list_hints(const Ui& ui) {
    spaced_heading(ui, "Reading the picture");
    ImGui::PushFont(ui.fonts.small);
    for (const char* hint :
         {"Point at a cell, a curve, a dot or a title: it says what it is.",
          "A matrix on the left is what was learned, beside it is what theory expects.",
          "The strip beside a matrix is its norm; the mark on it is where it started.",
          "Dashed curves are references and companions; one dot at the top stands for one seed.",
          "Drag a slider: the run starts again with the same random numbers.",
          "Double-click a slider to type a value; the round arrow goes back to the default.",
          "Drag the borders between panels; double-click a heading to let a panel fill the window."})
        ImGui::BulletText("%s", hint);
    ImGui::PopFont();
}

}  // namespace

void draw_help(const Ui& ui, const Session& session, const Timing& timing, bool& open) {
    if (!open) return;
    const Dialog dialog(ui, "help", 860);
    ImGui::PushFont(ui.fonts.bold);
    ImGui::Text("Emergence %s", version_with_commit().c_str());
    ImGui::PopFont();
    ImGui::PushTextWrapPos(ui.px(840));
    ImGui::TextUnformatted(greek(session.info().summary).c_str());
    ImGui::PopTextWrapPos();
    list_keys(ui);
    list_hints(ui);
    spaced_heading(ui, "This window");
    ImGui::TextDisabled("%.1f ms a frame; the longest it ever waited for the trainer: %s",
                        static_cast<double>(timing.frame_ms), wait_text(session).c_str());
    ImGui::Dummy({0.0F, ui.px(4)});
    if (draw_button(ui, "close help", "Close", {ui.px(110), 0}, "F1 or Esc", true)) open = false;
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

namespace {

constexpr float kBannerSide = 14.0F, kBannerTop = 6.0F, kBannerButton = 28.0F;

// Where the button begins, in a banner of this width.
float button_place(const Ui& ui, float width) { return width - ui.px(kBannerButton) - ui.px(10); }

}  // namespace

float banners_height(const Ui& ui, const Session& session, float width) {
    const std::vector<std::string> banners = session.banners();
    if (banners.empty()) return 0.0F;
    const ImGuiStyle& style = ImGui::GetStyle();
    const float wrap = button_place(ui, width) - ui.px(10) - ui.px(kBannerSide);
    float height = 2 * ui.px(kBannerTop) - style.ItemSpacing.y;
    for (const std::string& banner : banners)
        height += style.ItemSpacing.y + std::max(ImGui::GetFrameHeight(),
                                                 ImGui::CalcTextSize(banner.c_str(), nullptr, false, wrap).y +
                                                     2 * style.FramePadding.y);
    return height;
}

void draw_banners(const Ui& ui, const Box& box, Session& session) {
    const std::vector<std::string> banners = session.banners();
    if (banners.empty() || !box.shown()) return;
    ImGui::SetNextWindowPos(box.min);
    ImGui::SetNextWindowSize(box.size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(kBannerSide), ui.px(kBannerTop)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
    ImGui::PushStyleColor(ImGuiCol_Border, ui.colors.bad);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.colors.panel);
    ImGui::Begin("banner", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar(2);
    const ImVec2 min = ImGui::GetWindowPos();
    const ImVec2 size = ImGui::GetWindowSize();
    if (ui.log != nullptr) ui.log->record("panel banner", min, {min.x + size.x, min.y + size.y});
    ImGui::GetWindowDrawList()->AddRectFilled(min, {min.x + ui.px(5), min.y + size.y}, ui.colors.bad,
                                              ui.px(3));
    const float button = ui.px(kBannerButton);
    const float place = button_place(ui, box.size.x);
    for (size_t i = 0; i < banners.size(); ++i) {
        ImGui::BeginGroup();
        ImGui::AlignTextToFramePadding();
        ImGui::PushStyleColor(ImGuiCol_Text, ui.colors.bad);
        ImGui::PushTextWrapPos(place - ui.px(10));
        ImGui::TextUnformatted(banners[i].c_str());
        ImGui::PopTextWrapPos();
        ImGui::PopStyleColor();
        ImGui::EndGroup();
        log_item(ui, ("banner " + std::to_string(i)).c_str());
        ImGui::SameLine(place);
        const std::string id = "dismiss " + std::to_string(i);
        if (draw_button(ui, id.c_str(), "×", {button, 0}, "take this away")) session.dismiss_banner(i);
    }
    ImGui::End();
}

}  // namespace emergence
