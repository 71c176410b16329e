#pragma once
// Text drawn at a chosen place, and a listener for the text under the pointer.

#include <imgui.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/shell/theme.h"
#include "core/pictures/pen.h"

namespace emergence {

/// A name of files and the command line in words: "residual_gradient" becomes "residual gradient"; "v_TF" stays.
std::string in_words(std::string text);

ImVec2 text_size(const ImFont* font, const std::string& text);
void draw_text(ImDrawList* list, const ImFont* font, ImVec2 at, ImU32 color, const std::string& text);
/// The end of the letters from `from` on that fit into `width` pixels.
size_t end_of_fitting(const ImFont* font, const std::string& text, size_t from, float width);
/// The text, or as much of it as fits into `width` pixels with an ellipsis.
std::string elided(const ImFont* font, const std::string& text, float width);

/// The first of these texts that fits into `width` pixels, otherwise the last one, elided(). They say the same in ever
/// fewer words.
std::string fitting(const ImFont* font, const std::vector<std::string>& texts, float width);

/// The text, or as much of it as `fits`, cut after a sentence, a comma, a semicolon or a colon and marked with " …": half
/// a number would be another number. "" if not even the first part fits. A tooltip has to say the rest.
std::string whole_parts(const std::string& text, const std::function<bool(const std::string&)>& fits);
/// The same in one line of at most `width` pixels.
std::string whole_parts(const ImFont* font, const std::string& text, float width);

/// Lines of at most `width` pixels, broken between words. A number keeps its sign and unit; Dear ImGui would break it at
/// its point.
std::vector<std::string> lines_of_words(const ImFont* font, const std::string& text, float width);

/// A text item in ImGui's present font, broken in the same way at ImGui's present wrap width; muted: in a fainter colour.
void wrapped_text(const std::string& text);
void wrapped_muted(const std::string& text);

void draw_lines(ImDrawList* list, const ImFont* font, ImVec2 at, ImU32 color, const std::vector<std::string>& lines);

/// A picture's heading: bold on one line if that fits, otherwise in small type on as many lines as it needs.
struct Heading {
    const ImFont* font = nullptr;
    std::vector<std::string> lines;
    float height = 0.0F;
    float width = 0.0F;  // of the longest line
};
Heading heading_in(const Ui& ui, const std::string& text, float width);

/// Receives a line of text that begins at `at` and lies under the pointer, in a window that nothing covers there.
using TextListener = std::function<void(const ImFont* font, ImVec2 at, const std::string& text)>;
/// Tells this listener of the text that draw_text() draws from now on; {}: nobody.
void listen_to_text(TextListener listener);

/// Tells the listener of text that ImGui has drawn in the current window, in lines of at most `wrap` pixels (0: in one
/// line).
void tell_text(const ImFont* font, ImVec2 at, const std::string& text, float wrap = 0.0F);
/// The same for the last item, which is a text in ImGui's present font.
void tell_last_text(const std::string& text, float wrap = 0.0F);

enum class Placed { top_left, top, top_right, left, centre, right, bottom_left, bottom, bottom_right };
/// `at` is that point of the line.
void draw_text_placed(ImDrawList* list, const ImFont* font, ImVec2 at, Placed placed, ImU32 color,
                      const std::string& text);

/// The words of a badge while nothing is trained.
inline constexpr const char* kWeightsRest = "weights rest";

/// A few words in a rounded frame with its upper left corner at `at`, and the size of that frame.
void draw_badge(const Ui& ui, ImDrawList* list, ImVec2 at, const std::string& words);
ImVec2 badge_size(const Ui& ui, const std::string& words);

/// A paragraph in small type, and a heading in bold.
void small_text(const Ui& ui, ImU32 color, const std::string& text);
void heading_text(const Ui& ui, const std::string& text);

}  // namespace emergence
