#pragma once
// Paragraphs with bold words, code and links, broken into lines.

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell/theme.h"
#include "app/handbook/document.h"

namespace emergence {

/// The rank of a paragraph, a picture's caption, a table's head, a heading of level 1 to 3.
enum class TextRank { body, caption, head, first, second, third };

/// Text in one line and one style, placed relative to its paragraph.
struct PlacedRun {
    ImVec2 at;
    float width = 0.0F;
    const ImFont* font = nullptr;
    handbook::Span::Kind kind = handbook::Span::Kind::text;
    size_t span = 0;  // its index in the paragraph
    std::string text;
};

struct PlacedText {
    std::vector<PlacedRun> runs;
    ImVec2 size;
    float line = 0.0F;  // height of one
    bool muted = false;
};

/// Breaks the text into lines of at most `width` pixels; longer words are broken, too.
PlacedText place_text(const Ui& ui, const handbook::Spans& spans, TextRank rank, float width);

/// The width of the text in one line, and of its longest word.
struct TextWidths {
    float whole = 0.0F, word = 0.0F;
};
TextWidths text_widths(const Ui& ui, const handbook::Spans& spans, TextRank rank);

/// The spans of the link under the pointer, and of the clicked link.
struct PlacedLinks {
    std::optional<size_t> hovered, clicked;
    ImVec2 min, max;  // the place of the hovered one
};
/// Draws the text. Links are logged as "link TARGET".
PlacedLinks draw_placed_text(const Ui& ui, const PlacedText& text, const handbook::Spans& spans, ImVec2 at);

}  // namespace emergence
