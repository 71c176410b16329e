#include "app/gui/commands/keys_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/gui/commands/command.h"
#include "app/gui/widgets/text.h"
#include "core/base/version.h"

namespace emergence {
namespace {

constexpr float kKeyWidth = 122.0F;  // of the design
constexpr float kKeyRow = 1.45F;     // of the font's height

handbook::Block plain_block(handbook::Block::Kind kind, int level, const std::string& text) {
    handbook::Block block;
    block.kind = kind;
    block.level = level;
    block.spans = {{handbook::Span::Kind::text, text}};
    if (kind == handbook::Block::Kind::heading) block.target = handbook::anchor_of(text);
    return block;
}

// One topic below the cursor; `block` is the number of its heading in the document.
void list_topic(const Ui& ui, const CommandTopic& topic, float width, size_t block, std::optional<size_t> marked) {
    heading_text(ui, topic.name.c_str());
    const float left = ImGui::GetCursorScreenPos().x;
    const float row = std::round(ui.fonts.small->FontSize * kKeyRow);
    ImDrawList* list = ImGui::GetWindowDrawList();
    for (const WindowCommand* shortcut : topic.commands) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const bool found = marked == ++block;
        if (found)
            list->AddRectFilled({left - ui.px(4), at.y - ui.px(2)}, {left + width, at.y + row - ui.px(2)},
                                with_alpha(ui.colors.accent, 0.25F), ui.px(3));
        draw_text(list, ui.fonts.small, at, ui.colors.text, shortcut->keys);
        const ImVec2 what(left + ui.px(kKeyWidth), at.y);
        const float room = width - ui.px(kKeyWidth);
        const ImVec2 size = ui.fonts.small->CalcTextSizeA(ui.fonts.small->FontSize, FLT_MAX, room, shortcut->help);
        list->AddText(ui.fonts.small, ui.fonts.small->FontSize, what, ui.colors.muted, shortcut->help, nullptr, room);
        tell_text(ui.fonts.small, what, shortcut->help, room);
        ImGui::SetCursorScreenPos({left, at.y + std::max(row, size.y + row - ui.fonts.small->FontSize)});
    }
    ImGui::Dummy({width, ui.px(8)});
}

void list_hints(const Ui& ui) {
    heading_text(ui, "Reading the pictures");
    for (const char* hint :
         {"Point at a cell, a curve, a dot, a title or a term: a tooltip explains it.",
          "A matrix on the left was learned; the one beside it is what theory expects.",
          "The strip beside a matrix shows its norm; the mark on the strip is the norm at the start.",
          "Dashed curves are references and companions. One dot at the top is one seed.",
          "Drag a slider: the run restarts with the same random numbers.",
          "Double-click a slider to type a value. The round arrow restores the default.",
          "Click the heading of a small picture to bring it on stage; Esc sends it back."})
        small_text(ui, ui.colors.muted, std::string("• ") + hint);
}

}  // namespace

const handbook::Document& keys_document() {
    static const handbook::Document document = [] {
        handbook::Document keys{"keys", "Keys", {plain_block(handbook::Block::Kind::heading, 1, "Keys")}};
        for (const CommandTopic& topic : commands_by_topic()) {
            keys.blocks.push_back(plain_block(handbook::Block::Kind::heading, 2, topic.name));
            for (const WindowCommand* shortcut : topic.commands)
                keys.blocks.push_back(plain_block(handbook::Block::Kind::paragraph, 0,
                                                  fmt::format("{}: {}", shortcut->keys, shortcut->help)));
        }
        return keys;
    }();
    return document;
}

void draw_keys(const Ui& ui, float width, std::optional<size_t> marked) {
    const auto topics = commands_by_topic();
    const size_t second = first_column(topics);
    const float gap = ui.px(28), column = std::floor((width - gap) / 2);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    ImGui::BeginGroup();
    size_t block = 1;
    for (size_t i = 0; i < topics.size(); ++i) {
        if (i == second) {
            ImGui::EndGroup();
            ImGui::SetCursorScreenPos({start.x + column + gap, start.y});
            ImGui::BeginGroup();
        }
        list_topic(ui, topics[i], column, block, marked);
        block += topics[i].commands.size() + 1;
    }
    ImGui::EndGroup();
    ImGui::SetCursorScreenPos({start.x, std::max(ImGui::GetCursorScreenPos().y, ImGui::GetItemRectMax().y)});
    list_hints(ui);
    ImGui::Dummy({0.0F, ui.px(8)});
    small_text(ui, ui.colors.muted, "Emergence " + version_with_commit());
}

}  // namespace emergence
