#include "app/gui/dialogs/handbook_plan.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/gui/widgets/text.h"
#include "core/base/text.h"

namespace emergence {
namespace {

constexpr float kMeasure = 750.0F;  // of the design: about 88 letters
constexpr float kIndent = 22.0F;    // of an item
constexpr size_t kContinued = 4;    // spaces before the rest of a long line of code

TextRank rank_of(const handbook::Block& block) {
    if (block.kind != handbook::Block::Kind::heading) return TextRank::body;
    return block.level == 1 ? TextRank::first : block.level == 2 ? TextRank::second : TextRank::third;
}

// The space above a block.
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

// Columns that need no more than their share of the room have what they need; the others divide the rest,
// each with more than its longest word as far as there is room.
std::vector<float> column_widths(const std::vector<TextWidths>& wanted, float room) {
    std::vector<float> widths(wanted.size(), 0.0F);
    size_t open = wanted.size();
    for (bool changed = true; changed && open > 0;) {
        changed = false;
        const float share = room / static_cast<float>(open);
        for (size_t i = 0; i < wanted.size(); ++i) {
            if (widths[i] > 0.0F || wanted[i].whole > share) continue;
            widths[i] = wanted[i].whole;
            room -= wanted[i].whole;
            --open;
            changed = true;
        }
    }
    float whole = 0.0F, words = 0.0F;
    for (size_t i = 0; i < wanted.size(); ++i)
        if (widths[i] == 0.0F) {
            whole += wanted[i].whole;
            words += wanted[i].word;
        }
    for (size_t i = 0; i < wanted.size(); ++i) {
        if (widths[i] > 0.0F) continue;
        const auto& [own, word] = wanted[i];
        widths[i] = words < room ? word + (own - word) * (room - words) / std::max(1.0F, whole - words)
                                 : word * room / std::max(1.0F, words);
        widths[i] = std::max(8.0F, std::floor(widths[i]));
    }
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

size_t letters_in(const std::string& text) {
    return text.size() - static_cast<size_t>(std::count_if(text.begin(), text.end(), continues_character));
}

size_t byte_of_letter(const std::string& text, size_t letter) {
    size_t at = 0;
    for (; at < text.size(); ++at)
        if (!continues_character(text[at]) && letter-- == 0) break;
    return at;
}

// The text's lines, those that are too long in several.
std::vector<std::string> lines_of_code(const std::string& text, size_t most) {
    std::vector<std::string> lines;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        std::string line = text.substr(at, end - at);
        while (letters_in(line) > most) {
            size_t cut = byte_of_letter(line, most);
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
    planned.lines = lines_of_code(block.text, static_cast<size_t>(std::max(20.0F, room / std::max(1.0F, letter))));
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

}  // namespace

ImVec2 cell_padding(const Ui& ui) { return {ui.px(9), ui.px(4)}; }

ImVec2 code_padding(const Ui& ui) { return {ui.px(12), ui.px(9)}; }

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

}  // namespace emergence
