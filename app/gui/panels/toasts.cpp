#include "app/gui/panels/toasts.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/gui/panels/panel.h"
#include "app/gui/widgets/widget_log.h"

namespace emergence {
namespace {

constexpr auto kStays = std::chrono::seconds(8);
constexpr size_t kMost = 4;
constexpr float kWidest = 420.0F;

}  // namespace

void Toasts::add(std::string text, std::string copied) {
    toasts_.push_back({std::move(text), std::move(copied), Clock::now() + kStays});
    if (toasts_.size() > kMost) toasts_.erase(toasts_.begin());
}

bool Toasts::stale() const {
    const auto now = Clock::now();
    return std::any_of(toasts_.begin(), toasts_.end(),
                       [now](const Toast& toast) { return toast.until <= now; });
}

std::vector<std::string> Toasts::texts() const {
    std::vector<std::string> texts;
    for (const Toast& toast : toasts_) texts.push_back(toast.text);
    return texts;
}

void Toasts::draw_one(const Ui& ui, Toast& toast, size_t index, ImVec2 corner, float& height) {
    ImGui::SetNextWindowPos(corner, ImGuiCond_Always, {1.0F, 1.0F});
    const std::string name = fmt::format("toast {}", index);
    ImGui::Begin(name.c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PushTextWrapPos(ui.px(kWidest));
    ImGui::TextUnformatted(toast.text.c_str());
    ImGui::PopTextWrapPos();
    if (!toast.copied.empty())
        ImGui::TextDisabled("%s",
                            toast.was_copied ? "The path is in the clipboard" : "Click to copy the path");
    const ImVec2 at = ImGui::GetWindowPos();
    const ImVec2 size = ImGui::GetWindowSize();
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + ui.px(4), at.y + size.y}, ui.colors.good, ui.px(2));
    if (ui.log != nullptr) ui.log->record(name, at, {at.x + size.x, at.y + size.y});
    if (ImGui::IsWindowHovered()) {
        toast.until = std::max(toast.until, Clock::now() + std::chrono::seconds(2));  // it is being read
        if (!toast.copied.empty() && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
            ImGui::SetClipboardText(toast.copied.c_str());
            toast.was_copied = true;
        }
    }
    height = size.y;
    ImGui::End();
}

void Toasts::draw(const Ui& ui, const Box& area) {
    const auto now = Clock::now();
    std::erase_if(toasts_, [now](const Toast& toast) { return toast.until <= now; });
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
    ImGui::PushStyleColor(ImGuiCol_Border, ui.colors.axis);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.colors.panel);
    ImVec2 corner(area.max().x - ui.px(12), area.max().y - ui.px(12));
    for (size_t i = toasts_.size(); i-- > 0;) {
        float height = 0.0F;
        draw_one(ui, toasts_[i], i, corner, height);
        corner.y -= height + ui.px(8);
    }
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar();
}

}  // namespace emergence
