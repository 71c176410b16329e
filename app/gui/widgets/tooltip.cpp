#include "app/gui/widgets/tooltip.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <cfloat>
#include <string_view>
#include <utility>

namespace emergence {
namespace {

constexpr float kTooltipWidth = 380.0F;
constexpr float kHighItem = 60.0F;  // from here on a tooltip beside it would be too far from the pointer

// The tooltip that is to begin stands below the item or above it, never on it: what is explained stays to be seen, and
// to be clicked.
void place_below_or_above(const Ui& ui, ImVec2 min, ImVec2 max, float x, ImVec2 size) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float gap = ui.px(6);
    const bool below = max.y + gap + size.y <= display.y;
    ImGui::SetNextWindowPos({std::clamp(x, 0.0F, std::max(0.0F, display.x - size.x)),
                             below ? max.y + gap : std::max(0.0F, min.y - gap - size.y)});
}

void place_tooltip(const Ui& ui, ImVec2 min, ImVec2 max, const std::string& text) {
    if (max.y - min.y > ui.px(kHighItem)) return;
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, ui.px(kTooltipWidth));
    const float added = ui.terms != nullptr ? ui.terms->added_height() : 0.0F;
    place_below_or_above(ui, min, max, ImGui::GetIO().MousePos.x - ui.px(12),
                         {size.x + 2 * padding.x, size.y + 2 * padding.y + added});
}

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

void place_term_tooltip(const Ui& ui, const handbook::Term& term, ImVec2 min, ImVec2 max) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const ImVec2 said = extent(ui.fonts.body, term.definition, ui.px(kTooltipWidth));
    ImVec2 size(said.x + 2 * style.WindowPadding.x, 2 * style.WindowPadding.y + ui.fonts.bold->FontSize + said.y +
                                                        ui.fonts.small->FontSize + 3 * style.ItemSpacing.y);
    if (!term.equation.empty()) {
        const ImVec2 equation = extent(ui.fonts.mono, term.equation, 0.0F);
        size = {std::max(size.x, equation.x + 2 * style.WindowPadding.x), size.y + equation.y + style.ItemSpacing.y};
    }
    place_below_or_above(ui, min, max, min.x, size);
}

void draw_term_text(const Ui& ui, const handbook::Term& term) {
    ImGui::PushTextWrapPos(ui.px(kTooltipWidth));
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

double seconds_to_read(std::string_view text) {
    constexpr double kLeast = 4.0, kOfWord = 0.4;
    return kLeast + kOfWord * static_cast<double>(std::count(text.begin(), text.end(), ' '));
}

}  // namespace

// As large as it was in the last frame: in its first one ImGui does not show it yet.
void keep_tooltip_on_display() {
    ImGuiNextWindowData& next = ImGui::GetCurrentContext()->NextWindowData;
    const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
    if ((next.Flags & ImGuiNextWindowDataFlags_HasPos) == 0 || tooltip == nullptr || !tooltip->WasActive) return;
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    next.PosVal = {std::clamp(next.PosVal.x, 0.0F, std::max(0.0F, display.x - tooltip->Size.x)),
                   std::clamp(next.PosVal.y, 0.0F, std::max(0.0F, display.y - tooltip->Size.y))};
}

void keep_tooltip_in_window(const Ui& ui) {
    const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
    const float width = tooltip != nullptr && tooltip->WasActive ? tooltip->Size.x : ui.px(kTooltipWidth);
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    const float apart = ui.px(16), right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth();
    const bool left = pointer.x + apart + width > right;
    ImGui::SetNextWindowPos({left ? std::max(0.0F, pointer.x - apart - width) : pointer.x + apart, pointer.y + apart});
}

bool may_explain_item(const Ui& ui) {
    const bool quiet = ui.terms != nullptr && !ui.terms->may_explain();
    // A presentation has an audience, which tooltips would hide the picture from.
    return !quiet && !ui.presenting && ImGui::IsItemHovered() && !ImGui::IsItemActive();
}

void explain_item(const Ui& ui, const std::string& text) {
    if (text.empty() || !may_explain_item(ui)) return;
    explain_beside(ui, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), text);
}

void note_item(const Ui& ui, const std::string& name, const std::string& help) {
    log_item(ui, name);
    explain_item(ui, help);
}

void explain_beside(const Ui& ui, ImVec2 min, ImVec2 max, const std::string& text) {
    place_tooltip(ui, min, max, greek(text));
    explain_now(ui, text);
}

void explain_now(const Ui& ui, const std::string& text) {
    const Tooltip tooltip(ui, kTooltipWidth);
    wrapped_text(greek(text));
}

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

void TermCard::begin(const std::vector<std::string>& known, double now) {
    on_ = true;
    known_ = {known.begin(), known.end()};
    now_ = now;
    next_ = now + kRest;
}

void TermCard::seen(const std::string& heading) {
    if (!on_ || (shown_ != nullptr ? still_seen_ : now_ < next_)) return;
    for (const handbook::TermPlace& place : handbook::terms_in(heading)) {
        const bool is_new =
            place.end - place.begin > 1 && !known_.contains(place.term->word);  // a letter may be a name
        if (shown_ != nullptr ? place.term != shown_ : !is_new) continue;
        if (shown_ == nullptr) until_ = now_ + seconds_to_read(place.term->definition);
        shown_ = place.term;
        still_seen_ = true;
        return;
    }
}

void TermCard::turn(double now) {
    now_ = now;
    if (!std::exchange(still_seen_, false)) put_away();
    if (stale(now)) dismiss();
}

bool TermCard::dismiss() {
    if (shown_ == nullptr) return false;
    known_.insert(shown_->word);
    shown_ = nullptr;
    next_ = now_ + kRest;
    return true;
}

void TermCard::dismiss_all() {
    for (const handbook::Term& term : handbook::glossary()) known_.insert(term.word);
    shown_ = nullptr;
}

}  // namespace emergence
