#pragma once
// What a frame of Dear ImGui says: its lines of text read back from the draw lists, and which of them do not fit.

#include <imgui.h>

#include <string>
#include <vector>

namespace emergence::testing {

/// A line as it is drawn, in pixels of the display.
struct DrawnLine {
    std::string text;
    ImVec2 min, max;   // of its ink
    bool cut = false;  // letters are missing or half drawn at its left or right end
    const char* window = "";
};

/// The lines of the last frame of the current context, in the order in which they were drawn.
std::vector<DrawnLine> drawn_lines(const ImDrawData& data);

/// A name of a field, a condition or a file stands in the text, or an index in brackets, "P[-1,-1]", where a reader
/// expects words.
bool names_internals(const std::string& text);

/// What is wrong with them, a sentence each: lines that are cut, that end in an ellipsis, that lie on another line of
/// their window, or that name internals.
std::vector<std::string> text_faults(const std::vector<DrawnLine>& lines);

}  // namespace emergence::testing
