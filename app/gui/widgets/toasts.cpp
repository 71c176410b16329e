#include "app/gui/widgets/toasts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/floating.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"

namespace emergence {
namespace {

constexpr auto kStays = std::chrono::seconds(4);
constexpr size_t kMost = 4;
constexpr ImGuiWindowFlags kFlags = Floating::kQuiet | ImGuiWindowFlags_NoDecoration;
constexpr float kLineShare = 0.48F;  // of the status' width, at most

}  // namespace

void Toasts::add(std::string text, std::string copied) {
    toasts_.push_back({std::move(text), std::move(copied), Clock::now() + kStays});
    if (toasts_.size() > kMost) toasts_.erase(toasts_.begin());
}

void Toasts::tell_progress(std::string text) {
    std::erase_if(toasts_, [](const Toast& toast) { return toast.progress; });
    add(std::move(text));
    toasts_.back().progress = true;
}

bool Toasts::stale() const {
    const auto now = Clock::now();
    return std::any_of(toasts_.begin(), toasts_.end(), [now](const Toast& toast) { return toast.until <= now; });
}

std::vector<std::string> Toasts::texts() const {
    std::vector<std::string> texts;
    for (const Toast& toast : toasts_) texts.push_back(toast.text);
    return texts;
}

// To the pointer, in the toast's own window.
void Toasts::react(Toast& toast) {
    if (!ImGui::IsWindowHovered()) return;
    toast.until = std::max(toast.until, Clock::now() + std::chrono::seconds(2));  // it is being read
    if (toast.copied.empty() || !ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
    ImGui::SetClipboardText(toast.copied.c_str());
    toast.was_copied = true;
}

// The newest one, on one line or on two smaller ones; the whole of it where it is pointed at.
void Toasts::draw(const Ui& ui, const Box& line) {
    const auto now = Clock::now();
    std::erase_if(toasts_, [now](const Toast& toast) { return toast.until <= now; });
    if (toasts_.empty()) return;
    Toast& toast = toasts_.back();
    const float most = std::round(kLineShare * line.size.x);
    const float margin = ui.px(12);
    const std::string copies = toast.copied.empty() ? "" : toast.was_copied ? "  (copied)" : "  (click: copy path)";
    const std::string text = toast.text + copies;
    const bool one = text_size(ui.fonts.body, text).x + 2 * margin <= most;
    const ImFont* font = one ? ui.fonts.body : ui.fonts.small;
    const float wide = one ? text_size(font, text).x + 2 * margin : most;
    const ImVec2 min(line.max().x - wide, line.min.y);
    ImGui::SetNextWindowPos(min);
    ImGui::SetNextWindowSize({wide, line.size.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});  // it would clip
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0F, 1.0F});
    const Floating window(ui, fmt::format("toast {}", toasts_.size() - 1).c_str(), ui.colors.axis, kFlags);
    ImGui::PopStyleVar(2);
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(min, {min.x + ui.px(4), line.max().y}, ui.colors.good, ui.px(2));
    const char* end = text.data() + text.size();
    const char* split = one ? end : font->CalcWordWrapPositionA(1.0F, text.data(), end, wide - 2 * margin);
    const std::string first(text.data(), split);
    const std::string rest(split + (split < end && *split == ' ' ? 1 : 0), end);
    const float middle = line.min.y + line.size.y / 2;
    const float up = rest.empty() ? 0.0F : font->FontSize / 2;
    draw_text_placed(list, font, {min.x + margin, middle - up}, Placed::start, Placed::middle, ui.colors.text, first);
    if (!rest.empty())
        draw_text_placed(list, font, {min.x + margin, middle + up}, Placed::start, Placed::middle, ui.colors.text,
                         elided(font, rest, wide - 2 * margin));
    react(toast);
    if (ImGui::IsWindowHovered() && !one) explain_now(ui, text);
}

}  // namespace emergence
