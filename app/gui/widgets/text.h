#pragma once
// Text drawn at a place of one's own choosing.

#include <imgui.h>

#include <string>
#include <string_view>

namespace emergence {

/// Spelled-out Greek as letters and apostrophes as primes: "gamma phi'" becomes "γ φ′". Whole words only.
std::string greek(std::string_view label);

ImVec2 text_size(const ImFont* font, const std::string& text);
void draw_text(ImDrawList* list, const ImFont* font, ImVec2 at, ImU32 color, const std::string& text);
/// The text, or as much of it as fits into `width` pixels with an ellipsis behind.
std::string elided(const ImFont* font, const std::string& text, float width);

enum class Placed { start, middle, end };
/// `at` is the start, middle or end of the line horizontally, and its top (start), middle or bottom (end)
/// vertically.
void draw_text_placed(ImDrawList* list, const ImFont* font, ImVec2 at, Placed horizontal, Placed vertical,
                      ImU32 color, const std::string& text);

}  // namespace emergence
