#include "app/gui/dialogs/description.h"

#include <imgui.h>

#include <utility>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/text.h"

namespace emergence {
namespace {

constexpr float kDescriptionWidth = 760.0F, kDescriptionHeight = 640.0F;

// Nothing in the text takes the keys, so they always scroll it.
void scroll_by_keys(const Ui& ui) {
    const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); };
    const float page = 0.9F * ImGui::GetWindowHeight(), line = ui.px(60);
    float by = 0.0F;
    if (pressed(ImGuiKey_DownArrow)) by += line;
    if (pressed(ImGuiKey_UpArrow)) by -= line;
    if (pressed(ImGuiKey_PageDown)) by += page;
    if (pressed(ImGuiKey_PageUp)) by -= page;
    if (by != 0.0F) ImGui::SetScrollY(ImGui::GetScrollY() + by);
}

}  // namespace

void DescriptionPanel::open_with(std::vector<Description> said, std::string moment) {
    said_ = std::move(said);
    moment_ = std::move(moment);
    show();
}

void DescriptionPanel::draw(const Context& context) {
    if (!open_) return;
    const Ui& ui = context.ui;
    const SheetWindow sheet(ui, "description", kDescriptionWidth, kDescriptionHeight, std::exchange(raise_, false));
    if (sheet.draw_heading(ui, "Description", "description", moment_, "Ctrl + D or Esc")) close();
    if (draw_button(ui, "description copy", "Copy", {ui.px(90), 0.0F}, "Copies this text to the clipboard"))
        ImGui::SetClipboardText(text_of(said_).c_str());
    ImGui::Dummy({0.0F, ui.px(4)});
    ImGui::BeginChild("description text");
    if (ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows)) scroll_by_keys(ui);
    for (const Description& one : said_) {
        heading_text(ui, one.title.c_str());
        ImGui::PushTextWrapPos(0.0F);
        for (const std::string& sentence : one.sentences) wrapped_text(sentence);
        ImGui::PopTextWrapPos();
        ImGui::Dummy({0.0F, ui.px(8)});
    }
    ImGui::EndChild();
}

}  // namespace emergence
