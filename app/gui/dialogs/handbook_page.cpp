#include "app/gui/dialogs/handbook_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"

namespace emergence {
namespace {

void note_place(const Ui& ui, const std::string& name, ImVec2 min, ImVec2 max) {
    if (ui.log != nullptr) ui.log->record(name, min, max);
}

// Says where a link leads that opens nothing on this page.
void explain_link(const Ui& ui, const PlacedLinks& links, const std::string& target) {
    std::string text;
    if (target.starts_with("https://"))
        text = target + "\nA click copies the address.";
    else if (const std::string preset = handbook::preset_of(target); !preset.empty())
        text = "Opens the preset " + preset + ". F1 then returns to this page.";
    else if (!handbook::lesson_of(target).empty())
        text = "Begins the lesson. Your run comes back when you leave it.";
    if (!text.empty()) explain_beside(ui, links.min, links.max, text);
}

// True if one of its links was clicked, which `click` then names.
bool draw_spans(const Ui& ui, const PlacedText& text, const handbook::Spans& spans, ImVec2 at, PageClick& click) {
    const PlacedLinks links = draw_placed_text(ui, text, spans, at);
    if (links.hovered) explain_link(ui, links, spans[*links.hovered].target);
    if (!links.clicked) return false;
    click.link = spans[*links.clicked].target;
    return true;
}

bool draw_item(const Ui& ui, const handbook::Block& block, const PlannedBlock& planned, ImVec2 at, PageClick& click) {
    const std::string marker = block.marker == "-" ? "•" : block.marker;
    const float drop = std::round((planned.text.line - ui.fonts.body->FontSize) / 2);
    draw_text_placed(ImGui::GetWindowDrawList(), ui.fonts.body, {at.x + planned.indent - ui.px(7), at.y + drop},
                     Placed::end, Placed::start, ui.colors.muted, marker);
    return draw_spans(ui, planned.text, block.spans, {at.x + planned.indent, at.y}, click);
}

bool draw_table(const Ui& ui, const handbook::Block& block, const PlannedBlock& planned, ImVec2 at, PageClick& click) {
    if (planned.cells.empty()) return false;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 padding = cell_padding(ui);
    const float right = at.x + planned.columns.back();
    list->AddRectFilled(at, {right, at.y + planned.rows[1]}, ui.colors.control, ui.px(3), ImDrawFlags_RoundCornersTop);
    bool clicked = false;
    for (size_t row = 0; row < planned.cells.size(); ++row) {
        const float top = at.y + planned.rows[row];
        const float bottom = at.y + planned.rows[row + 1];
        list->AddLine({at.x, bottom}, {right, bottom}, ui.colors.grid);
        if (!ImGui::IsRectVisible({at.x, top}, {right, bottom})) continue;
        for (size_t i = 0; i < planned.cells[row].size(); ++i) {
            ImGui::PushID(static_cast<int>(row * planned.cells[row].size() + i));
            clicked = draw_spans(ui, planned.cells[row][i], block.rows[row][i],
                                 {at.x + planned.columns[i] + padding.x, top + padding.y}, click) ||
                      clicked;
            ImGui::PopID();
        }
    }
    return clicked;
}

// What stands behind a command, from its "#" on, is a comment.
size_t comment_of(const handbook::Block& block, const std::string& line) {
    if (!block.info.starts_with("sh")) return line.size();
    return line.starts_with('#') ? 0 : std::min(line.find("  #"), line.size());
}

bool draw_code(const Ui& ui, const handbook::Block& block, const PlannedBlock& planned, size_t index, ImVec2 at,
               float width, PageClick& click) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 end(at.x + width, at.y + planned.height);
    list->AddRectFilled(at, end, ui.colors.plot, ui.px(4));
    list->AddRect(at, end, ui.colors.border, ui.px(4));
    const ImVec2 padding = code_padding(ui);
    const float line_height = std::round(ui.fonts.mono->FontSize * 1.3F);
    ImVec2 place(at.x + padding.x, at.y + padding.y);
    for (const std::string& line : planned.lines) {
        const std::string code = line.substr(0, comment_of(block, line));
        draw_text(list, ui.fonts.mono, place, ui.colors.text, code);
        const ImVec2 behind(place.x + text_size(ui.fonts.mono, code).x, place.y);
        draw_text(list, ui.fonts.mono, behind, ui.colors.muted, line.substr(code.size()));
        place.y += line_height;
    }
    note_place(ui, fmt::format("code {}", index), at, end);
    const bool over =
        ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) && ImGui::IsMouseHoveringRect(at, end);
    if (!over) return false;
    const float wide = ui.px(58);
    ImGui::SetCursorScreenPos({end.x - wide - ui.px(5), at.y + ui.px(5)});
    ImGui::PushFont(ui.fonts.small);
    const bool copies = ImGui::Button("Copy", {wide, 0.0F});
    ImGui::PopFont();
    log_item(ui, fmt::format("copy {}", index).c_str());
    if (copies) click.copied = block.text;
    return copies;
}

bool draw_picture(const Ui& ui, const handbook::Block& block, const PlannedBlock& planned, ImVec2 at,
                  const std::filesystem::path& file, Pictures& pictures, PageClick& click) {
    const ImVec2 size = planned.picture;
    ImTextureID texture = nullptr;
    if (size.x > 0.0F)
        texture = pictures.texture(*ui.textures, file, static_cast<int>(size.x), static_cast<int>(size.y));
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 end(at.x + size.x, at.y + size.y);
    if (texture != nullptr) {
        list->AddImage(texture, at, end);
        list->AddRect(at, end, ui.colors.border);
        note_place(ui, "picture " + block.target, at, end);
        return draw_spans(ui, planned.text, block.spans, {at.x, end.y + ui.px(6)}, click);
    }
    const ImVec2 text_at(at.x + ui.px(12), at.y + ui.px(4));
    const ImVec2 text_end(text_at.x + planned.text.size.x, text_at.y + planned.text.size.y);
    list->AddRectFilled(at, {text_end.x + ui.px(12), text_end.y + ui.px(4)}, ui.colors.plot, ui.px(4));
    note_place(ui, "missing " + block.target, text_at, text_end);
    return draw_spans(ui, planned.text, block.spans, text_at, click);
}

}  // namespace

std::optional<PageClick> draw_page(const Ui& ui, const handbook::Document& document, const PagePlan& plan,
                                   const std::filesystem::path& folder, Pictures& pictures,
                                   std::optional<size_t> marked) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    PageClick click;
    bool clicked = false;
    for (size_t i = 0; i < std::min(plan.blocks.size(), document.blocks.size()); ++i) {
        const handbook::Block& block = document.blocks[i];
        const PlannedBlock& planned = plan.blocks[i];
        const ImVec2 at(start.x, start.y + planned.top);
        const ImVec2 end(start.x + width, at.y + planned.height);
        if (!ImGui::IsRectVisible(at, end)) continue;
        ImGui::PushID(static_cast<int>(i));
        if (marked == i)
            ImGui::GetWindowDrawList()->AddRectFilled({at.x - ui.px(9), at.y}, {at.x - ui.px(5), end.y},
                                                      ui.colors.accent);
        switch (block.kind) {
            case handbook::Block::Kind::heading:
            case handbook::Block::Kind::paragraph:
                clicked = draw_spans(ui, planned.text, block.spans, at, click) || clicked;
                break;
            case handbook::Block::Kind::item:
                clicked = draw_item(ui, block, planned, at, click) || clicked;
                break;
            case handbook::Block::Kind::code:
                clicked = draw_code(ui, block, planned, i, at, width, click) || clicked;
                break;
            case handbook::Block::Kind::table:
                note_place(ui, fmt::format("table {}", i), at, end);
                clicked = draw_table(ui, block, planned, at, click) || clicked;
                break;
            case handbook::Block::Kind::image:
                clicked = draw_picture(ui, block, planned, at, folder / block.target, pictures, click) || clicked;
                break;
        }
        ImGui::PopID();
    }
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy({width, plan.height});
    return clicked ? std::optional(click) : std::nullopt;
}

}  // namespace emergence
