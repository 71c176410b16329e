#include "app/gui/dialogs/handbook_page.h"

#include <stb/stb_image.h>
#include <stb/stb_image_resize.h>

#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <memory>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/ranges.h"
#include "core/base/text.h"

namespace emergence {
namespace {

constexpr int kLargestPicture = 8192;  // pixels of a side

// The space inside a table's cell and inside a block of code.
ImVec2 cell_padding(const Ui& ui) { return {ui.px(9), ui.px(4)}; }
ImVec2 code_padding(const Ui& ui) { return {ui.px(12), ui.px(9)}; }

// The pixels of a PNG or JPEG, scaled; empty if the file cannot be read.
std::vector<ImU32> read_scaled(const std::filesystem::path& file, int width, int height) {
    int own_width = 0, own_height = 0, channels = 0;
    const std::unique_ptr<unsigned char, decltype(&stbi_image_free)> bytes(
        stbi_load(file.c_str(), &own_width, &own_height, &channels, 4), stbi_image_free);
    if (bytes == nullptr || width <= 0 || height <= 0) return {};
    std::vector<ImU32> pixels(static_cast<size_t>(width) * static_cast<size_t>(height));
    const int done = stbir_resize_uint8(bytes.get(), own_width, own_height, 0,
                                        reinterpret_cast<unsigned char*>(pixels.data()), width, height, 0, 4);
    return done != 0 ? pixels : std::vector<ImU32>{};
}

constexpr float kMeasure = 750.0F;  // of the design: about 88 letters
constexpr float kIndent = 22.0F;    // of an item
constexpr size_t kContinued = 4;    // spaces before the rest of a long line of code

TextRank rank_of(const handbook::Block& block) {
    if (block.kind != handbook::Block::Kind::heading) return TextRank::body;
    return block.level == 1 ? TextRank::first : block.level == 2 ? TextRank::second : TextRank::third;
}

float gap_above(const Ui& ui, const handbook::Block& block, const handbook::Block* before) {
    if (before == nullptr) return 0.0F;
    if (block.kind == handbook::Block::Kind::heading) return ui.px(block.level == 2 ? 26 : 18);
    if (before->kind == handbook::Block::Kind::heading) return ui.px(6);
    if (block.kind == handbook::Block::Kind::item && before->kind == handbook::Block::Kind::item) return ui.px(4);
    return block.kind == handbook::Block::Kind::paragraph || block.kind == handbook::Block::Kind::item ? ui.px(10)
                                                                                                       : ui.px(12);
}

std::vector<TextWidths> wanted_widths(const Ui& ui, const handbook::Block& table) {
    std::vector<TextWidths> wanted(table.rows.front().size());
    for (size_t row = 0; row < table.rows.size(); ++row)
        for (size_t i = 0; i < wanted.size(); ++i) {
            const TextWidths own = text_widths(ui, table.rows[row][i], row == 0 ? TextRank::head : TextRank::body);
            wanted[i].whole = std::max(wanted[i].whole, own.whole + 1.0F);
            wanted[i].word = std::max(wanted[i].word, own.word + 1.0F);
        }
    return wanted;
}

// Every column gets its longest word. The rest of the room is divided in proportion to what the columns want beyond
// that, as in a browser.
std::vector<float> column_widths(const std::vector<TextWidths>& wanted, float room) {
    float whole = 0.0F, words = 0.0F;
    for (const TextWidths& one : wanted) {
        whole += one.whole;
        words += one.word;
    }
    const float shrink = std::min(1.0F, room / words);
    const float share = whole <= room ? 1.0F : words >= room ? 0.0F : (room - words) / (whole - words);
    std::vector<float> widths;
    for (const TextWidths& one : wanted)
        widths.push_back(std::max(8.0F, std::floor(shrink * one.word + share * (one.whole - one.word))));
    return widths;
}

void plan_table(const Ui& ui, const handbook::Block& table, float width, PlannedBlock& planned) {
    if (table.rows.empty() || table.rows.front().empty()) return;
    const ImVec2 padding = cell_padding(ui);
    const auto count = static_cast<float>(table.rows.front().size());
    const std::vector<float> widths = column_widths(wanted_widths(ui, table), width - 2 * padding.x * count);
    planned.columns = {0.0F};
    for (const float own : widths) planned.columns.push_back(planned.columns.back() + own + 2 * padding.x);
    planned.rows = {0.0F};
    for (size_t row = 0; row < table.rows.size(); ++row) {
        float highest = 0.0F;
        planned.cells.emplace_back();
        for (size_t i = 0; i < widths.size(); ++i) {
            planned.cells.back().push_back(
                place_text(ui, table.rows[row][i], row == 0 ? TextRank::head : TextRank::body, widths[i] + 1.0F));
            highest = std::max(highest, planned.cells.back().back().size.y);
        }
        planned.rows.push_back(planned.rows.back() + highest + 2 * padding.y);
    }
    planned.height = planned.rows.back();
}

// The lines of the text, at most `most` letters long.
std::vector<std::string> lines_of_code(const std::string& text, int most) {
    std::vector<std::string> lines;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        std::string line = text.substr(at, end - at);
        while (columns_of(line) > most) {
            size_t cut = bytes_in_columns(line, most);
            const size_t space = line.rfind(' ', cut);
            if (space != std::string::npos && space > line.find_first_not_of(' ') && space > cut / 2) cut = space;
            lines.push_back(line.substr(0, cut));
            const size_t next = line.find_first_not_of(' ', cut);
            line = next == std::string::npos ? "" : std::string(kContinued, ' ') + line.substr(next);
        }
        lines.push_back(std::move(line));
        at = end + 1;
    }
    return lines;
}

void plan_code(const Ui& ui, const handbook::Block& block, float width, PlannedBlock& planned) {
    const float letter = text_size(ui.fonts.mono, "m").x;
    const float room = width - 2 * code_padding(ui).x;
    planned.lines = lines_of_code(block.text, static_cast<int>(std::max(20.0F, room / std::max(1.0F, letter))));
    const float line = std::round(ui.fonts.mono->FontSize * 1.3F);
    planned.height = static_cast<float>(planned.lines.size()) * line + 2 * code_padding(ui).y;
}

void plan_picture(const Ui& ui, const handbook::Block& block, const std::filesystem::path& folder, Pictures& pictures,
                  float width, PlannedBlock& planned) {
    planned.text = place_text(ui, block.spans, TextRank::caption, std::min(width, ui.px(kMeasure)) - ui.px(20));
    planned.height = planned.text.size.y + ui.px(8);
    const auto own = pictures.size_of(folder / block.target);
    if (!own) return;
    const float wide = std::floor(std::min(width, own->x * std::max(1.0F, ui.scale)));
    planned.picture = {wide, std::max(1.0F, std::round(own->y * wide / own->x))};
    planned.height += planned.picture.y;
}

void note_place(const Ui& ui, const std::string& name, ImVec2 min, ImVec2 max) {
    if (ui.log != nullptr) ui.log->record(name, min, max);
}

// Says where a link leads, unless it is to a page.
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

void draw_spans(const Ui& ui, const PlacedText& text, const handbook::Spans& spans, ImVec2 at, PageClick& click) {
    const PlacedLinks links = draw_placed_text(ui, text, spans, at);
    if (links.hovered) explain_link(ui, links, spans[*links.hovered].target);
    if (links.clicked) click.link = spans[*links.clicked].target;
}

void draw_item(const Ui& ui, const handbook::Block& block, const PlannedBlock& planned, ImVec2 at, PageClick& click) {
    const std::string marker = block.marker == "-" ? "•" : block.marker;
    const float drop = std::round((planned.text.line - ui.fonts.body->FontSize) / 2);
    draw_text_placed(ImGui::GetWindowDrawList(), ui.fonts.body, {at.x + planned.indent - ui.px(7), at.y + drop},
                     Placed::top_right, ui.colors.muted, marker);
    draw_spans(ui, planned.text, block.spans, {at.x + planned.indent, at.y}, click);
}

void draw_table(const Ui& ui, const handbook::Block& block, const PlannedBlock& planned, ImVec2 at, PageClick& click) {
    if (planned.cells.empty()) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 padding = cell_padding(ui);
    const float right = at.x + planned.columns.back();
    list->AddRectFilled(at, {right, at.y + planned.rows[1]}, ui.colors.control, ui.px(3), ImDrawFlags_RoundCornersTop);
    for (size_t row = 0; row < planned.cells.size(); ++row) {
        const float top = at.y + planned.rows[row], bottom = at.y + planned.rows[row + 1];
        list->AddLine({at.x, bottom}, {right, bottom}, ui.colors.grid);
        if (!ImGui::IsRectVisible({at.x, top}, {right, bottom})) continue;
        for (size_t i = 0; i < planned.cells[row].size(); ++i) {
            ImGui::PushID(static_cast<int>(row * planned.cells[row].size() + i));
            draw_spans(ui, planned.cells[row][i], block.rows[row][i],
                       {at.x + planned.columns[i] + padding.x, top + padding.y}, click);
            ImGui::PopID();
        }
    }
}

// Where the comment behind a command begins, at its "#".
size_t comment_of(const handbook::Block& block, const std::string& line) {
    if (!block.info.starts_with("sh")) return line.size();
    return line.starts_with('#') ? 0 : std::min(line.find("  #"), line.size());
}

void draw_code(const Ui& ui, const handbook::Block& block, const PlannedBlock& planned, size_t index, ImVec2 at,
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
    if (!over) return;
    const float wide = ui.px(58);
    ImGui::SetCursorScreenPos({end.x - wide - ui.px(5), at.y + ui.px(5)});
    ImGui::PushFont(ui.fonts.small);
    if (ImGui::Button("Copy", {wide, 0.0F})) click.copied = block.text;
    ImGui::PopFont();
    log_item(ui, fmt::format("copy {}", index));
}

void draw_picture(const Ui& ui, const handbook::Block& block, const PlannedBlock& planned, ImVec2 at,
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
    draw_spans(ui, planned.text, block.spans, text_at, click);
}

}  // namespace

Pictures::Picture& Pictures::find(const std::filesystem::path& file) {
    const auto [entry, fresh] = pictures_.try_emplace(file.string());
    if (!fresh) return entry->second;
    int width = 0, height = 0, channels = 0;
    if (stbi_info(file.c_str(), &width, &height, &channels) != 0 && width > 0 && height > 0 &&
        width <= kLargestPicture && height <= kLargestPicture)
        entry->second.size = ImVec2(static_cast<float>(width), static_cast<float>(height));
    return entry->second;
}

ImTextureID Pictures::texture(TextureStore& store, const std::filesystem::path& file, int width, int height) {
    Picture& picture = find(file);
    if (!picture.size || (picture.width == width && picture.height == height)) return picture.texture;
    const std::vector<ImU32> pixels = read_scaled(file, width, height);
    if (pixels.empty()) {
        picture = {};
        return nullptr;
    }
    picture.texture = store.upload(picture.texture, width, height, pixels);
    picture.width = width;
    picture.height = height;
    return picture.texture;
}

PagePlan plan_page(const Ui& ui, const handbook::Document& document, const std::filesystem::path& folder,
                   Pictures& pictures, float width) {
    PagePlan plan;
    const float measure = std::min(width, ui.px(kMeasure));
    const handbook::Block* before = nullptr;
    for (const handbook::Block& block : document.blocks) {
        PlannedBlock planned;
        planned.top = plan.height + gap_above(ui, block, before);
        switch (block.kind) {
            case handbook::Block::Kind::heading:
            case handbook::Block::Kind::paragraph:
            case handbook::Block::Kind::item:
                planned.indent = block.kind == handbook::Block::Kind::item ? ui.px(kIndent) : 0.0F;
                planned.text = place_text(ui, block.spans, rank_of(block), measure - planned.indent);
                planned.height = planned.text.size.y;
                break;
            case handbook::Block::Kind::code:
                plan_code(ui, block, width, planned);
                break;
            case handbook::Block::Kind::table:
                plan_table(ui, block, width, planned);
                break;
            case handbook::Block::Kind::image:
                plan_picture(ui, block, folder, pictures, width, planned);
                break;
        }
        plan.height = planned.top + planned.height;
        plan.blocks.push_back(std::move(planned));
        before = &block;
    }
    return plan;
}

std::optional<PageClick> draw_page(const Ui& ui, const handbook::Document& document, const PagePlan& plan,
                                   const std::filesystem::path& folder, Pictures& pictures,
                                   std::optional<size_t> marked) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    PageClick click;
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
                draw_spans(ui, planned.text, block.spans, at, click);
                break;
            case handbook::Block::Kind::item:
                draw_item(ui, block, planned, at, click);
                break;
            case handbook::Block::Kind::code:
                draw_code(ui, block, planned, i, at, width, click);
                break;
            case handbook::Block::Kind::table:
                note_place(ui, fmt::format("table {}", i), at, end);
                draw_table(ui, block, planned, at, click);
                break;
            case handbook::Block::Kind::image:
                draw_picture(ui, block, planned, at, folder / block.target, pictures, click);
                break;
        }
        ImGui::PopID();
    }
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy({width, plan.height});
    return click.link.empty() && click.copied.empty() ? std::nullopt : std::optional(click);
}

}  // namespace emergence
