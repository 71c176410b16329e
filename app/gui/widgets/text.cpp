#include "app/gui/widgets/text.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <sstream>
#include <utility>

#include "core/base/ranges.h"

namespace emergence {
namespace {

// One for the whole process, as ImGui's own context: one thread draws text, from places that share no object.
TextListener text_listener;

// Whether the pointer is on the line, which must be visible there and not covered by another window.
bool points_at(const ImDrawList* list, const ImFont* font, ImVec2 at, const std::string& text) {
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    if (pointer.y < at.y || pointer.y >= at.y + font->FontSize || pointer.x < at.x) return false;
    // GetCurrentWindow() would show ImGui's debug window for text that is drawn outside any window.
    const ImGuiWindow* window = ImGui::GetCurrentContext()->CurrentWindow;
    if (window == nullptr || window->DrawList != list || !window->WasActive) return false;
    const ImVec2 low = list->GetClipRectMin(), high = list->GetClipRectMax();
    if (pointer.x < low.x || pointer.y < low.y || pointer.x >= high.x || pointer.y >= high.y) return false;
    return pointer.x < at.x + text_size(font, text).x && ImGui::IsWindowHovered();
}

void tell_if_pointed_at(const ImDrawList* list, const ImFont* font, ImVec2 at, const std::string& text) {
    if (text_listener && points_at(list, font, at, text)) text_listener(font, at, text);
}

bool is_number(const std::string& word) {
    const size_t digit = word.find_first_of("0123456789");
    return digit != std::string::npos && word.find_first_not_of("+-−±<>≤≥(~") == digit;
}

// Whether a line must not end between these words: "n =", "± 0.1", "12 %", "15 ms".
bool belong_together(const std::string& word, const std::string& next) {
    constexpr std::array<std::string_view, 8> kSigns = {"=", "±", "<", ">", "≤", "≥", "x", "×"};
    constexpr std::array<std::string_view, 10> kUnits = {"%", "ms", "s", "min", "h", "kB", "MB", "MiB", "GB", "px"};
    const std::string_view bare(next.data(), next.find_last_not_of(".,;:)") + 1);
    const auto in = [](const auto& list, std::string_view one) { return contains(list, one); };
    if (is_number(word)) return in(kUnits, bare) || in(kSigns, bare);
    return in(kSigns, word) ? is_number(next) : bare == "=";
}

std::vector<std::string> words_with_units(const std::string& text) {
    std::vector<std::string> words;
    std::istringstream all(text);
    std::string last;
    for (std::string word; all >> word; last = word)
        if (!words.empty() && belong_together(last, word))
            words.back() += " " + word;
        else
            words.push_back(word);
    return words;
}

}  // namespace

std::string in_words(std::string text) {
    const auto small = [&](size_t at) { return at < text.size() && text[at] >= 'a' && text[at] <= 'z'; };
    for (size_t i = 2; i + 2 < text.size(); ++i)
        if (text[i] == '_' && small(i - 1) && small(i - 2) && small(i + 1) && small(i + 2)) text[i] = ' ';
    return text;
}

ImVec2 text_size(const ImFont* font, const std::string& text) {
    return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0.0F, text.data(), text.data() + text.size());
}

void draw_text(ImDrawList* list, const ImFont* font, ImVec2 at, ImU32 color, const std::string& text) {
    list->AddText(font, font->FontSize, {std::round(at.x), std::round(at.y)}, color, text.data(),
                  text.data() + text.size());
    tell_if_pointed_at(list, font, at, text);
}

void listen_to_text(TextListener listener) { text_listener = std::move(listener); }

void tell_text(const ImFont* font, ImVec2 at, const std::string& text, float wrap) {
    if (!text_listener) return;
    const ImDrawList* list = ImGui::GetCurrentContext()->CurrentWindow->DrawList;
    const char* line = text.data();
    const char* const end = text.data() + text.size();
    while (line < end) {
        const char* next = static_cast<const char*>(std::memchr(line, '\n', static_cast<size_t>(end - line)));
        if (next == nullptr) next = end;
        if (wrap > 0.0F) next = std::max(line + 1, font->CalcWordWrapPositionA(1.0F, line, next, wrap));
        tell_if_pointed_at(list, font, at, std::string(line, next));
        at.y += font->FontSize;
        line = next;
        while (line < end && (*line == ' ' || *line == '\n')) ++line;
    }
}

void tell_last_text(const std::string& text, float wrap) {
    tell_text(ImGui::GetFont(), ImGui::GetItemRectMin(), text, wrap);
}

size_t end_of_fitting(const ImFont* font, const std::string& text, size_t from, float width) {
    const char* rest = nullptr;
    font->CalcTextSizeA(font->FontSize, std::max(width, 0.0F), 0.0F, text.data() + from, text.data() + text.size(),
                        &rest);
    return static_cast<size_t>(rest - text.data());
}

std::string elided(const ImFont* font, const std::string& text, float width) {
    if (text_size(font, text).x <= width) return text;
    return text.substr(0, end_of_fitting(font, text, 0, width - text_size(font, "…").x)) + "…";
}

std::string fitting(const ImFont* font, const std::vector<std::string>& texts, float width) {
    for (const std::string& text : texts)
        if (text_size(font, text).x <= width) return text;
    const std::string parts = whole_parts(font, texts.back(), width);
    return parts.empty() ? elided(font, texts.back(), width) : parts;
}

std::string whole_parts(const std::string& text, const std::function<bool(const std::string&)>& fits) {
    std::string shown = text;
    for (size_t kept = text.size(); kept > 0 && !fits(shown);) {
        size_t end = 0;
        for (const char* mark : {". ", "? ", "! ", ", ", "; ", ": "})
            if (const size_t at = text.rfind(mark, kept - 1); at != std::string::npos) end = std::max(end, at);
        kept = end;
        shown = kept > 0 ? text.substr(0, kept) + " …" : "";
    }
    return shown;
}

std::string whole_parts(const ImFont* font, const std::string& text, float width) {
    return whole_parts(text, [&](const std::string& shown) { return text_size(font, shown).x <= width; });
}

std::vector<std::string> lines_of_words(const ImFont* font, const std::string& text, float width) {
    std::vector<std::string> lines;
    for (const std::string& word : words_with_units(text)) {
        const bool fits = !lines.empty() && text_size(font, lines.back() + " " + word).x <= width;
        if (fits)
            lines.back() += " " + word;
        else
            lines.push_back(word);
    }
    return lines;
}

void wrapped_text(const std::string& text) {
    const ImGuiWindow& window = *ImGui::GetCurrentWindow();
    std::string broken = text;
    if (const float wrap = window.DC.TextWrapPos; wrap >= 0.0F) {
        broken.clear();
        // A pixel less: ImGui breaks words longer than a line, and must not do so for a rounding error.
        const float width = ImGui::CalcWrapWidthForPos(window.DC.CursorPos, wrap) - 1.0F;
        std::istringstream paragraphs(text);
        for (std::string paragraph; std::getline(paragraphs, paragraph);) {
            for (const std::string& line : lines_of_words(ImGui::GetFont(), paragraph, width)) broken += line + "\n";
            if (paragraph.empty()) broken += "\n";
        }
        if (!broken.empty()) broken.pop_back();
    }
    ImGui::TextUnformatted(broken.c_str());
    tell_last_text(broken);
}

void wrapped_muted(const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    wrapped_text(text);
    ImGui::PopStyleColor();
}

void draw_lines(ImDrawList* list, const ImFont* font, ImVec2 at, ImU32 color, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
        draw_text(list, font, at, color, line);
        at.y += font->FontSize;
    }
}

Heading heading_in(const Ui& ui, const std::string& text, float width) {
    Heading heading{ui.fonts.bold, {text}, ui.fonts.bold->FontSize, text_size(ui.fonts.bold, text).x};
    if (heading.width <= width) return heading;
    heading.font = ui.fonts.small;
    heading.lines = lines_of_words(heading.font, text, width);
    heading.height = std::max(heading.height, static_cast<float>(heading.lines.size()) * heading.font->FontSize);
    heading.width = 0.0F;
    for (const std::string& line : heading.lines)
        heading.width = std::max(heading.width, text_size(heading.font, line).x);
    return heading;
}

void draw_text_placed(ImDrawList* list, const ImFont* font, ImVec2 at, Placed placed, ImU32 color,
                      const std::string& text) {
    const ImVec2 size = text_size(font, text);
    const auto place = static_cast<int>(placed);  // three rows of three
    at.x -= static_cast<float>(place % 3) / 2 * size.x;
    at.y -= static_cast<float>(place / 3) / 2 * size.y;
    draw_text(list, font, at, color, text);
}

ImVec2 badge_size(const Ui& ui, const std::string& words) {
    const ImVec2 size = text_size(ui.fonts.bold, words);
    return {size.x + 2 * ui.px(10), size.y + 2 * ui.px(4)};
}

void draw_badge(const Ui& ui, ImDrawList* list, ImVec2 at, const std::string& words) {
    const ImVec2 size = badge_size(ui, words);
    list->AddRect(at, {at.x + size.x, at.y + size.y}, ui.colors.good, ui.px(10), ImDrawFlags_None, 1.5F * ui.scale);
    draw_text(list, ui.fonts.bold, {at.x + ui.px(10), at.y + ui.px(4)}, ui.colors.good, words);
}

void small_text(const Ui& ui, ImU32 color, const std::string& text) {
    ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::PushFont(ui.fonts.small);
    ImGui::PushTextWrapPos(std::max(0.0F, ImGui::GetCurrentWindow()->DC.TextWrapPos));
    wrapped_text(text);
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    ImGui::PopStyleColor();
}

void heading_text(const Ui& ui, const std::string& text) {
    ImGui::PushFont(ui.fonts.bold);
    ImGui::TextUnformatted(text.c_str());
    tell_last_text(text);
    ImGui::PopFont();
}

}  // namespace emergence
