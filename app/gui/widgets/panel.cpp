#include "app/gui/widgets/panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/ranges.h"

namespace emergence {
namespace {

// Keeps enough of the present window on the display to drag it.
void keep_in_reach(const Ui& ui) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImVec2 at = ImGui::GetWindowPos();
    const ImVec2 size = ImGui::GetWindowSize();
    const float grip = ui.px(120);
    const ImVec2 inside(std::clamp(at.x, std::min(0.0F, grip - size.x), std::max(0.0F, display.x - grip)),
                        std::clamp(at.y, 0.0F, std::max(0.0F, display.y - ui.px(40))));
    if (inside.x != at.x || inside.y != at.y) ImGui::SetWindowPos(inside);
}

// Paints outside a panel's rounded corner; (dx, dy) points from the corner into the panel.
void draw_corner(ImDrawList* list, ImVec2 corner, float dx, float dy, float radius, ImU32 color) {
    constexpr int kSegments = 6;
    const ImVec2 centre(corner.x + dx * radius, corner.y + dy * radius);
    list->PathLineTo(corner);
    for (int i = 0; i <= kSegments; ++i) {
        // Filling with smooth edges needs clockwise points.
        const int step = dx * dy > 0.0F ? kSegments - i : i;
        const float angle = static_cast<float>(step) / kSegments * 1.5707963F;
        list->PathLineTo({centre.x - dx * radius * std::cos(angle), centre.y - dy * radius * std::sin(angle)});
    }
    list->PathFillConvex(color);
}

// In two lines, cut if it is longer.
std::vector<std::string> lines_that_fit(const ImFont* font, const std::string& text, float width) {
    const auto lines_of = [&](const std::string& part) { return lines_of_words(font, part, width); };
    const std::string shown = whole_parts(text, [&](const std::string& part) { return lines_of(part).size() <= 2; });
    std::vector<std::string> lines = lines_of(shown.empty() ? text : shown);
    if (lines.size() > 2) lines = {lines[0], elided(font, lines[1] + " " + lines[2], width)};
    return lines;
}

// True if the whole text is there.
bool draw_lines_of(const Ui& ui, const Message& message, const Box& room) {
    const std::string text = greek(message.text);
    const bool one = text_size(ui.fonts.body, text).x <= room.size.x;
    const ImFont* font = one ? ui.fonts.body : ui.fonts.small;
    const std::vector<std::string> lines = one ? std::vector{text} : lines_that_fit(font, text, room.size.x);
    const float height = static_cast<float>(lines.size()) * font->FontSize;
    draw_lines(ImGui::GetWindowDrawList(), font, {room.min.x, std::round(room.min.y + (room.size.y - height) / 2)},
               message.color, lines);
    return fmt::format("{}", fmt::join(lines, " ")) == text;
}

constexpr auto kStays = std::chrono::seconds(4);
constexpr size_t kMost = 4;

}  // namespace

Floating::Floating(const Ui& ui, const char* name, ImU32 border, ImGuiWindowFlags flags, bool movable) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
    ImGui::PushStyleColor(ImGuiCol_Border, border);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.colors.panel);
    ImGui::Begin(name, nullptr,
                 flags | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar();
    if (movable) keep_in_reach(ui);
    if (ui.log == nullptr) return;
    const ImVec2 min = ImGui::GetWindowPos();
    const ImVec2 size = ImGui::GetWindowSize();
    ui.log->record(std::string("panel ") + name, min, {min.x + size.x, min.y + size.y});
}

Floating::~Floating() { ImGui::End(); }

Panel::Panel(const Ui& ui, const char* name, const Box& box, bool scrolls) {
    ImGui::SetNextWindowPos(box.min);
    ImGui::SetNextWindowSize(box.size);
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                             ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                             ImGuiWindowFlags_NoNav |
                             // A panel that appears must not close a list or take the keyboard from a text.
                             ImGuiWindowFlags_NoFocusOnAppearing;
    if (scrolls)
        flags &= ~ImGuiWindowFlags_NoScrollbar;
    else
        flags |= ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::Begin(name, nullptr, flags);
    if (ui.log != nullptr) ui.log->record(std::string("panel ") + name, box.min, box.max());
}

Panel::~Panel() { ImGui::End(); }

void draw_gaps(const Ui& ui, const std::vector<Box>& panels, float gap) {
    ImDrawList* list = ImGui::GetBackgroundDrawList();
    const float radius = ImGui::GetStyle().WindowRounding;
    for (const Box& panel : panels) {
        if (panel.size.y <= 0.0F) continue;
        const ImVec2 a = panel.min, b = panel.max();
        const ImU32 color = ui.colors.window;
        list->AddRectFilled({a.x - gap, a.y - gap}, {b.x + gap, a.y}, color);
        list->AddRectFilled({a.x - gap, b.y}, {b.x + gap, b.y + gap}, color);
        list->AddRectFilled({a.x - gap, a.y}, {a.x, b.y}, color);
        list->AddRectFilled({b.x, a.y}, {b.x + gap, b.y}, color);
        draw_corner(list, a, 1, 1, radius, color);
        draw_corner(list, {b.x, a.y}, -1, 1, radius, color);
        draw_corner(list, {a.x, b.y}, 1, -1, radius, color);
        draw_corner(list, b, -1, -1, radius, color);
    }
}

Dialog::Dialog(const Ui& ui, const char* name, float width) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Appearing, {0.5F, 0.5F});
    ImGui::SetNextWindowSizeConstraints({std::min(ui.px(width), display.x), 0.0F}, {display.x, display.y - ui.px(16)});
    // Above the panels, but not above its own open list.
    if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) ImGui::SetNextWindowFocus();
    window_.emplace(ui, name, ui.colors.axis, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoNav, true);
}

SheetWindow::SheetWindow(const Ui& ui, const char* name, float width, float height, bool raise) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    size_ = {std::min(ui.px(width), display.x - ui.px(16)), std::min(ui.px(height), display.y - ui.px(16))};
    ImGui::SetNextWindowPos({std::round((display.x - size_.x) / 2), std::round((display.y - size_.y) / 2)},
                            ImGuiCond_Appearing);
    ImGui::SetNextWindowSize(size_);
    if (raise) ImGui::SetNextWindowFocus();
    window_.emplace(ui, name, ui.colors.axis, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse, true);
}

bool SheetWindow::draw_heading(const Ui& ui, const char* title, const char* id, const std::string& subtitle,
                               const char* tooltip) const {
    heading_text(ui, title);
    if (!subtitle.empty()) {
        ImGui::SameLine(0.0F, ui.px(12));
        ImGui::TextDisabled("%s", subtitle.c_str());
    }
    const float close = ui.px(28);
    ImGui::SameLine(size_.x - close - ImGui::GetStyle().WindowPadding.x);
    return draw_button(ui, std::string(id) + " close", "×", {close, 0.0F}, tooltip);
}

MessageResponse draw_message(const Ui& ui, const Box& slot, const Message& message) {
    const float margin = ui.px(12), gap = ui.px(6), padding = ImGui::GetStyle().FramePadding.x;
    ImGui::SetNextWindowPos(slot.min);
    ImGui::SetNextWindowSize(slot.size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});  // it would clip
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0F, 1.0F});
    const Floating window(ui, message.name.c_str(), message.bar != 0 ? ui.colors.axis : 0,
                          Floating::kQuiet | ImGuiWindowFlags_NoDecoration);
    ImGui::PopStyleVar(2);
    ImGui::GetWindowDrawList()->AddRectFilled(slot.min, {slot.min.x + ui.px(4), slot.max().y}, message.bar, ui.px(2));
    MessageResponse response;
    const ImVec2 button(0.0F, slot.size.y - 2 * ui.px(4));
    float right = slot.max().x - ui.px(5);
    for (auto one = message.buttons.rbegin(); one != message.buttons.rend(); ++one) {
        const ImFont* font = one->strong ? ui.fonts.bold : ui.fonts.body;
        const float width = text_size(font, one->label).x + 2 * padding;
        right -= width;
        ImGui::SetCursorScreenPos({right, slot.min.y + ui.px(4)});
        if (draw_button(ui, one->id, one->label, {width, button.y}, one->help, one->strong)) response.pressed = one->id;
        right -= gap;
    }
    const Box room{{slot.min.x + margin, slot.min.y}, {right - slot.min.x - 2 * margin, slot.size.y}};
    const bool whole = draw_lines_of(ui, message, room);
    response.hovered = ImGui::IsWindowHovered();
    if (response.hovered && !whole && !ImGui::IsAnyItemHovered()) explain_now(ui, message.text);
    return response;
}

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
    return any_of(toasts_, [now](const Toast& toast) { return toast.until <= now; });
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
