#include "app/gui/widgets/message.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/floating.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"

namespace emergence {
namespace {

// The text, or of one that is too long what comes before the end of a sentence or part of one, in two lines.
std::vector<std::string> lines_that_fit(const ImFont* font, const std::string& text, float width) {
    std::vector<std::string> lines = lines_of_words(font, text, width);
    for (const char* ends : {".?!", ",;:"})
        for (size_t end = text.size(); lines.size() > 2 && end != std::string::npos && end > 0;) {
            end = text.find_last_of(ends, end - 1);
            if (end == std::string::npos || text.compare(end + 1, 1, " ") != 0) continue;
            std::vector<std::string> part = lines_of_words(font, text.substr(0, end + (*ends == '.' ? 1 : 0)), width);
            if (part.size() <= 2) lines = std::move(part);
        }
    if (lines.size() > 2) lines = {lines[0], elided(font, lines[1] + " " + lines[2], width)};
    return lines;
}

// True if the text is there as a whole.
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

}  // namespace

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
        if (draw_button(ui, one->id.c_str(), one->label, {width, button.y}, one->help.c_str(), one->strong))
            response.pressed = one->id;
        right -= gap;
    }
    const Box room{{slot.min.x + margin, slot.min.y}, {right - slot.min.x - 2 * margin, slot.size.y}};
    const bool whole = draw_lines_of(ui, message, room);
    response.hovered = ImGui::IsWindowHovered();
    if (response.hovered && !whole && !ImGui::IsAnyItemHovered()) explain_now(ui, message.text);
    return response;
}

}  // namespace emergence
