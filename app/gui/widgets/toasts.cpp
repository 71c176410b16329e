#include "app/gui/widgets/toasts.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/gui/widgets/message.h"

namespace emergence {
namespace {

constexpr auto kStays = std::chrono::seconds(4);
constexpr size_t kMost = 4;

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

bool Toasts::draw(const Ui& ui, const Box& slot) {
    const auto now = Clock::now();
    std::erase_if(toasts_, [now](const Toast& toast) { return toast.until <= now; });
    if (toasts_.empty()) return false;
    Toast& toast = toasts_.back();
    const char* copies = toast.copied.empty() ? "" : toast.was_copied ? "  (copied)" : "  (click: copy path)";
    const MessageResponse response = draw_message(
        ui, slot, {fmt::format("toast {}", toasts_.size() - 1), toast.text + copies, ui.colors.good, ui.colors.text});
    if (!response.hovered) return true;
    toast.until = std::max(toast.until, now + std::chrono::seconds(2));  // it is being read
    if (toast.copied.empty() || !ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return true;
    ImGui::SetClipboardText(toast.copied.c_str());
    toast.was_copied = true;
    return true;
}

}  // namespace emergence
