#include "app/gui/widgets/tooltip.h"

#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "core/base/ranges.h"

namespace emergence {
namespace {

constexpr float kTooltipWidth = 380.0F;
constexpr float kHighItem = 60.0F;  // beside a higher item a tooltip would be too far from the pointer

ImVec2 clamped(ImVec2 at, ImVec2 size) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    return {std::clamp(at.x, 0.0F, std::max(0.0F, display.x - size.x)),
            std::clamp(at.y, 0.0F, std::max(0.0F, display.y - size.y))};
}

// The next tooltip stands below the item or above it, so that the item can be seen and clicked.
void place_below_or_above(const Ui& ui, ImVec2 min, ImVec2 max, float x) {
    const ImVec2 size = tooltip_size(ui);
    const float gap = ui.px(6);
    const bool below = max.y + gap + size.y <= ImGui::GetIO().DisplaySize.y;
    ImGui::SetNextWindowPos(clamped({x, below ? max.y + gap : min.y - gap - size.y}, size));
}

constexpr size_t kMostWordsAroundALetter = 4;

// "P", "P₀", "P0, as constructed", but not "entries of P": a single letter is a term only at the beginning of a name.
const handbook::Term* letter_that_begins(const std::string& text) {
    std::string index = text.substr(0, text.find(' ')).erase(0, 1);  // in digits, or in the three bytes of subscripts
    while (index.starts_with("\xE2\x82")) index.erase(0, 3);
    if (index.find_first_not_of("0123456789,") != std::string::npos) return nullptr;
    const auto spaces = static_cast<size_t>(std::count(text.begin(), text.end(), ' '));
    return spaces < kMostWordsAroundALetter ? handbook::term_of(text.substr(0, 1)) : nullptr;
}

// The terms in a text; single letters only at its beginning.
std::vector<handbook::TermPlace> terms_of_text(const std::string& text) {
    std::vector<handbook::TermPlace> found;
    if (const handbook::Term* letter = letter_that_begins(text)) found.push_back({0, 1, letter});
    for (const handbook::TermPlace& place : handbook::terms_in(text))
        if (place.end - place.begin > 1) found.push_back(place);
    return found;
}

// Whether this frame has a tooltip.
bool is_tooltip_drawn() {
    return any_of(ImGui::GetCurrentContext()->Windows, [](const ImGuiWindow* window) {
        return (window->Flags & ImGuiWindowFlags_Tooltip) != 0 && window->Active;
    });
}

void draw_term_text(const Ui& ui, const handbook::Term& term) {
    ImGui::PushTextWrapPos(ui.px(kTooltipWidth));
    heading_text(ui, term.word);
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

ImVec2 tooltip_size(const Ui& ui) {
    const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
    return tooltip != nullptr && tooltip->WasActive ? tooltip->Size : ImVec2(ui.px(kTooltipWidth), 0.0F);
}

Tooltip::Tooltip(const Ui& ui, float width) {
    ImGuiNextWindowData& next = ImGui::GetCurrentContext()->NextWindowData;
    if ((next.Flags & ImGuiNextWindowDataFlags_HasPos) != 0) next.PosVal = clamped(next.PosVal, tooltip_size(ui));
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(width > 0.0F ? ui.px(width) : -1.0F);
}

Tooltip::~Tooltip() {
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void keep_tooltip_in_window(const Ui& ui) {
    const float width = tooltip_size(ui).x;
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    const float apart = ui.px(16), right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth();
    const bool left = pointer.x + apart + width > right;
    ImGui::SetNextWindowPos({left ? std::max(0.0F, pointer.x - apart - width) : pointer.x + apart, pointer.y + apart});
}

bool may_explain_item(const Ui& ui) {
    const bool quiet = ui.terms != nullptr && !ui.terms->may_explain();
    // In a presentation a tooltip would hide the picture from the audience.
    return !quiet && !ui.presenting && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) &&
           !ImGui::IsItemActive();
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
    if (max.y - min.y <= ui.px(kHighItem)) place_below_or_above(ui, min, max, ImGui::GetIO().MousePos.x - ui.px(12));
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
    shown_ = ui.presenting || pressed_ || ImGui::IsAnyMouseDown() ? nullptr : found_;
    if (shown_ == nullptr) return;
    const bool lengthens = is_tooltip_drawn();
    if (!lengthens) place_below_or_above(ui, word_min_, word_max_, word_min_.x);
    // A second tooltip of the same frame continues the first.
    const Tooltip tooltip(ui, 0.0F);
    if (lengthens) ImGui::Separator();
    draw_term_text(ui, *shown_);
}

}  // namespace emergence
