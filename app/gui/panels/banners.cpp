#include "app/gui/panels/banners.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/floating.h"
#include "app/gui/widgets/text.h"

namespace emergence {
namespace {

std::string wait_text(const Session& session) {
    // 0: the lock was free each time it was asked for.
    if (session.longest_wait() == 0.0) return "none";
    return fmt::format("{:.1f} µs", 1e6 * session.longest_wait());
}

}  // namespace

void draw_timing(const Ui& ui, const Session& session, const Timing& timing) {
    const std::string text = fmt::format("{:5.1f} ms a frame   {:4.1f} frames/s   longest wait for the trainer: {}",
                                         static_cast<double>(timing.frame_ms),
                                         static_cast<double>(timing.frames_per_second), wait_text(session));
    const ImVec2 size = text_size(ui.fonts.small, text);
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImVec2 at(std::round((display.x - size.x) / 2), ui.px(6));
    ImDrawList* list = ImGui::GetForegroundDrawList();
    list->AddRectFilled({at.x - ui.px(8), at.y - ui.px(3)}, {at.x + size.x + ui.px(8), at.y + size.y + ui.px(3)},
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
        height += style.ItemSpacing.y +
                  std::max(ImGui::GetFrameHeight(),
                           ImGui::CalcTextSize(banner.c_str(), nullptr, false, wrap).y + 2 * style.FramePadding.y);
    return height;
}

void draw_banners(const Context& context, const Box& box) {
    const auto& [ui, session, asks] = context;
    const std::vector<std::string> banners = session.banners();
    if (banners.empty() || !box.shown()) return;
    ImGui::SetNextWindowPos(box.min);
    ImGui::SetNextWindowSize(box.size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(kBannerSide), ui.px(kBannerTop)});
    const Floating banner(ui, "banner", ui.colors.bad, Floating::kQuiet | ImGuiWindowFlags_NoCollapse);
    ImGui::PopStyleVar();
    const ImVec2 min = ImGui::GetWindowPos();
    const ImVec2 size = ImGui::GetWindowSize();
    ImGui::GetWindowDrawList()->AddRectFilled(min, {min.x + ui.px(5), min.y + size.y}, ui.colors.bad, ui.px(3));
    const float button = ui.px(kBannerButton);
    const float place = button_place(ui, box.size.x);
    for (size_t i = 0; i < banners.size(); ++i) {
        ImGui::BeginGroup();
        ImGui::AlignTextToFramePadding();
        ImGui::PushStyleColor(ImGuiCol_Text, ui.colors.bad);
        ImGui::PushTextWrapPos(place - ui.px(10));
        wrapped_text(banners[i]);
        ImGui::PopTextWrapPos();
        ImGui::PopStyleColor();
        ImGui::EndGroup();
        log_item(ui, ("banner " + std::to_string(i)).c_str());
        ImGui::SameLine(place);
        const std::string id = "dismiss " + std::to_string(i);
        if (draw_button(ui, id.c_str(), "×", {button, 0}, "take this away")) asks(ask::Dismiss{i});
    }
}

}  // namespace emergence
