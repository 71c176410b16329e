#include "app/gui/widgets/formula.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/text.h"
#include "app/gui/widgets/tooltip.h"
#include "core/base/ranges.h"

namespace emergence {
namespace {

// Greek names, "sum" and minus signs.
std::string lettered(const std::string& text) {
    std::string result;
    const std::string letters = greek(text);
    for (size_t i = 0; i < letters.size();) {
        if (letters.compare(i, 3, "sum") == 0) {
            result += "∑";
            i += 3;
        } else if (letters[i] == '-') {
            result += "−";
            ++i;
        } else {
            result += letters[i++];
        }
    }
    return result;
}

// The script that begins at `at`, which moves past it.
std::string script_at(const std::string& text, size_t& at) {
    if (at < text.size() && text[at] == '{') {
        const size_t end = std::min(text.find('}', at), text.size());
        const std::string group = text.substr(at + 1, end - at - 1);
        at = std::min(end + 1, text.size());
        return group;
    }
    return at < text.size() ? text.substr(at++, 1) : "";
}

const ImFont* font_of(const Ui& ui, FormulaPiece::Level level) {
    return level == FormulaPiece::Level::base ? ui.fonts.body : ui.fonts.small;
}

// Pieces one behind another, but a superscript stands over the subscript before it.
struct PlacedTerm {
    std::vector<FormulaPiece> pieces;
    std::vector<float> places;
    float width = 0.0F;
};

PlacedTerm place_term(const Ui& ui, const std::string& text) {
    PlacedTerm term;
    term.pieces = parse_formula(text);
    float start_of_sub = -1.0F;
    for (const FormulaPiece& piece : term.pieces) {
        const float width = text_size(font_of(ui, piece.level), piece.text).x;
        const bool stacked = piece.level == FormulaPiece::Level::super && start_of_sub >= 0.0F;
        const float x = stacked ? start_of_sub : term.width;
        start_of_sub = piece.level == FormulaPiece::Level::sub ? x : -1.0F;
        term.places.push_back(x);
        term.width = std::max(term.width, x + width);
    }
    return term;
}

void draw_pieces(const Ui& ui, const PlacedTerm& term, ImVec2 at, ImU32 color) {
    const float raise = ui.px(5);
    for (size_t i = 0; i < term.pieces.size(); ++i) {
        const auto& [text, level] = term.pieces[i];
        const float drop = ui.fonts.body->FontSize - ui.fonts.small->FontSize;
        const float y = level == FormulaPiece::Level::base  ? 0.0F
                        : level == FormulaPiece::Level::sub ? drop + ui.px(4)
                                                            : -raise + ui.px(1);
        draw_text(ImGui::GetWindowDrawList(), font_of(ui, level), {at.x + term.places[i], at.y + y}, color, text);
    }
}

void explain_term(const Ui& ui, const FormulaTerm& term) {
    const Tooltip tooltip(ui, 320.0F);
    wrapped_text(greek(term.meaning));
    if (!term.blocks.empty())
        ImGui::TextDisabled(
            "%s", term.blocks.size() == 1 ? "Outlined: the block that does it." : "Outlined: the blocks that do it.");
}

// True if the pointer is on it.
bool draw_term(const Ui& ui, const FormulaTerm& term, const PlacedTerm& placed, ImVec2 at, ImVec2 size, size_t index,
               bool lit) {
    draw_place(ui, fmt::format("term {}", index), at, size);
    const bool hovered = ImGui::IsItemHovered() && !term.meaning.empty();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 end(at.x + size.x, at.y + size.y);
    if (lit || (hovered && !term.blocks.empty())) {
        list->AddRectFilled(at, end, with_alpha(ui.colors.warning, 0.30F), ui.px(4));
        list->AddRect(at, end, ui.colors.warning, ui.px(4));
    } else if (!term.blocks.empty()) {
        const float y = end.y - ui.px(1);
        list->AddLine({at.x + ui.px(3), y}, {end.x - ui.px(3), y}, with_alpha(ui.colors.warning, 0.6F));
    }
    draw_pieces(ui, placed, {at.x + ui.px(3), at.y + ui.px(7)}, ui.colors.text);
    if (hovered) explain_term(ui, term);
    return hovered;
}

}  // namespace

std::vector<FormulaPiece> parse_formula(const std::string& text) {
    std::vector<FormulaPiece> pieces;
    size_t at = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '_' || c == '^') {
            const std::string script = script_at(text, ++at);
            const bool transposed = c == '^' && script == "T";
            if (!script.empty())
                pieces.push_back({transposed ? "⊤" : lettered(script),
                                  c == '_' ? FormulaPiece::Level::sub : FormulaPiece::Level::super});
            continue;
        }
        const size_t end = std::min(text.find_first_of("_^", at), text.size());
        pieces.push_back({lettered(text.substr(at, end - at)), FormulaPiece::Level::base});
        at = end;
    }
    return pieces;
}

std::optional<size_t> draw_formula(const Ui& ui, const Formula& formula, const std::vector<size_t>& lit, float width) {
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float line = ui.fonts.body->FontSize + ui.px(15);
    const float gap = ui.px(2);
    std::optional<size_t> hovered;
    ImGui::PushID(formula.name.c_str());
    ImVec2 at = start;
    const std::string name = formula.name + ":";
    const float label = text_size(ui.fonts.small, name).x;
    draw_text(ImGui::GetWindowDrawList(), ui.fonts.small, {at.x, at.y + ui.px(8)}, ui.colors.muted, name);
    at.x += label + ui.px(8);
    const float indent = at.x;
    for (size_t i = 0; i < formula.terms.size(); ++i) {
        const PlacedTerm placed = place_term(ui, formula.terms[i].text);
        const ImVec2 size(placed.width + ui.px(6), line);
        if (at.x > indent && at.x + size.x > start.x + width) at = {indent, at.y + line};
        const bool is_lit = contains(lit, i);
        if (draw_term(ui, formula.terms[i], placed, at, size, i, is_lit)) hovered = i;
        at.x += size.x + gap;
    }
    ImGui::PopID();
    ImGui::SetCursorScreenPos(start);
    ImGui::Dummy({width, at.y + line - start.y});
    return hovered;
}

}  // namespace emergence
