#include "app/gui/widgets/term_hover.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <cfloat>

#include "app/gui/widgets/tooltip.h"

namespace emergence {

namespace {

constexpr float kTermWidth = 380.0F;
constexpr size_t kMostWordsAroundALetter = 4;

bool is_digit_letter(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Where the letters of a name end, before its index: "P0,", with the subscript's signs too.
size_t end_of_letters(const std::string& text, size_t end) {
    constexpr size_t kSubscript = 3;  // bytes of a digit
    for (;;) {
        if (end > 0 && (is_digit_letter(text[end - 1]) || text[end - 1] == ','))
            --end;
        else if (end > kSubscript && text.compare(end - kSubscript, 2, "\xE2\x82") == 0)
            end -= kSubscript;
        else
            return end;
    }
}

// "P", "P0 as constructed", but not "entries of P": of a single letter only the beginning of a name says that
// the term is meant.
const handbook::Term* letter_that_begins(const std::string& text) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end_of_letters(text, end) != 1) return nullptr;
    const auto spaces = static_cast<size_t>(std::count(text.begin(), text.end(), ' '));
    return spaces < kMostWordsAroundALetter ? handbook::term_of(text.substr(0, 1)) : nullptr;
}

// All terms of a text, single letters only where they begin it.
std::vector<handbook::TermPlace> terms_of_text(const std::string& text) {
    std::vector<handbook::TermPlace> found;
    if (const handbook::Term* letter = letter_that_begins(text)) found.push_back({0, 1, letter});
    for (const handbook::TermPlace& place : handbook::terms_in(text))
        if (place.end - place.begin > 1) found.push_back(place);
    return found;
}

// The tooltip that this frame has drawn; null for none.
const ImGuiWindow* drawn_tooltip() {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    for (const ImGuiWindow* window : context.Windows)
        if ((window->Flags & ImGuiWindowFlags_Tooltip) != 0 && window->Active) return window;
    return nullptr;
}

ImVec2 extent(const ImFont* font, const std::string& text, float wrap) {
    return font->CalcTextSizeA(font->FontSize, FLT_MAX, wrap, text.c_str());
}

// Below the word or above it, never on it.
void place_term_tooltip(const Ui& ui, const handbook::Term& term, ImVec2 min, ImVec2 max) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const ImVec2 said = extent(ui.fonts.body, term.definition, ui.px(kTermWidth));
    float high = 2 * style.WindowPadding.y + ui.fonts.bold->FontSize + said.y + ui.fonts.small->FontSize +
                 3 * style.ItemSpacing.y;
    if (!term.equation.empty()) high += extent(ui.fonts.mono, term.equation, 0.0F).y + style.ItemSpacing.y;
    const float wide = std::max(said.x, extent(ui.fonts.mono, term.equation, 0.0F).x) + 2 * style.WindowPadding.x;
    const float gap = ui.px(6);
    const float x = std::clamp(min.x, 0.0F, std::max(0.0F, display.x - wide));
    const bool below = max.y + gap + high <= display.y;
    ImGui::SetNextWindowPos({x, below ? max.y + gap : std::max(0.0F, min.y - gap - high)});
}

void draw_term_text(const Ui& ui, const handbook::Term& term) {
    ImGui::PushTextWrapPos(ui.px(kTermWidth));
    ImGui::PushFont(ui.fonts.bold);
    ImGui::TextUnformatted(term.word.c_str());
    ImGui::PopFont();
    wrapped_text(term.definition);
    ImGui::PopTextWrapPos();
    if (!term.equation.empty()) {
        ImGui::PushFont(ui.fonts.mono);
        ImGui::TextUnformatted(greek(term.equation).c_str());
        ImGui::PopFont();
    }
    ImGui::PushFont(ui.fonts.small);
    ImGui::TextDisabled("F1: more");
    ImGui::PopFont();
}

}  // namespace

void TermHover::begin_frame() {
    found_ = nullptr;
    if (pressed_ && !ImGui::IsAnyMouseDown() && !ImGui::IsMouseHoveringRect(pressed_->min, pressed_->max(), false))
        pressed_.reset();
}

bool TermHover::may_explain() {
    const ImVec2 min = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
    if (ImGui::IsItemActive()) pressed_ = Box{min, size};
    return !pressed_;
}

void TermHover::under_pointer(const ImFont* font, ImVec2 at, const std::string& text) {
    if (found_ != nullptr) return;
    const float x = ImGui::GetIO().MousePos.x;
    for (const handbook::TermPlace& place : terms_of_text(text)) {
        const float left = at.x + text_size(font, text.substr(0, place.begin)).x;
        const float right = at.x + text_size(font, text.substr(0, place.end)).x;
        if (x < left || x >= right) continue;
        found_ = place.term;
        word_min_ = {left, at.y};
        word_max_ = {right, at.y + font->FontSize};
        return;
    }
}

void TermHover::labelled(const std::string& text) {
    if (found_ != nullptr) return;
    const std::vector<handbook::TermPlace> places = terms_of_text(text);
    if (places.empty()) return;
    found_ = places.front().term;
    word_min_ = ImGui::GetItemRectMin();
    word_max_ = ImGui::GetItemRectMax();
}

void TermHover::draw(const Ui& ui) {
    shown_ = found_;
    added_height_ = 0.0F;
    if (found_ == nullptr || ui.presenting || pressed_ || ImGui::IsAnyMouseDown()) {
        shown_ = nullptr;
        return;
    }
    const bool lengthens = drawn_tooltip() != nullptr;
    if (!lengthens) place_term_tooltip(ui, *found_, word_min_, word_max_);
    // A second one of the same frame goes on where the first has ended.
    const Tooltip tooltip(ui, 0.0F);
    const float top = ImGui::GetCursorPosY();
    if (lengthens) ImGui::Separator();
    draw_term_text(ui, *found_);
    if (lengthens) added_height_ = ImGui::GetCursorPosY() - top;
}

}  // namespace emergence
