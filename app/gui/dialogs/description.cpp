#include "app/gui/dialogs/description.h"

#include <imgui.h>

#include <utility>

#include "app/gui/widgets/panel.h"
#include "app/gui/widgets/sheet.h"

namespace emergence {
namespace {

constexpr float kWidth = 760.0F, kHeight = 640.0F;

}  // namespace

void DescriptionPanel::open(std::vector<Description> said, std::string moment) {
    said_ = std::move(said);
    moment_ = std::move(moment);
    open_ = raise_ = true;
}

void DescriptionPanel::draw(const Ui& ui) {
    if (!open_) return;
    const Sheet sheet(ui, "description", kWidth, kHeight, std::exchange(raise_, false));
    if (sheet.draw_heading(ui, "Description", "description", moment_, "Ctrl + D or Esc")) close();
    if (draw_button(ui, "description copy", "Copy", {ui.px(90), 0.0F}, "Copies this text to the clipboard"))
        ImGui::SetClipboardText(text_of(said_).c_str());
    ImGui::Dummy({0.0F, ui.px(4)});
    ImGui::BeginChild("description text");
    for (const Description& one : said_) {
        heading_text(ui, one.title.c_str());
        for (const std::string& sentence : one.sentences) ImGui::TextWrapped("%s", sentence.c_str());
        ImGui::Dummy({0.0F, ui.px(8)});
    }
    ImGui::EndChild();
}

}  // namespace emergence
