#pragma once
// Text drawn at a chosen place, and who is told which text stands under the pointer.

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "app/gui/shell/theme.h"
#include "core/pictures/pen.h"

namespace emergence {

/// Names of files and the command line as they are read: "residual_gradient" becomes "residual gradient"; "v_TF" stays.
std::string in_words(std::string text);

ImVec2 text_size(const ImFont* font, const std::string& text);
void draw_text(ImDrawList* list, const ImFont* font, ImVec2 at, ImU32 color, const std::string& text);
/// The text, or as much of it as fits into `width` pixels with an ellipsis behind.
std::string elided(const ImFont* font, const std::string& text, float width);

/// Of the same in ever fewer words the first that fits into `width` pixels, else the last one as elided().
std::string fitting(const ImFont* font, const std::vector<std::string>& texts, float width);

/// What of the text fits into `width` pixels, left out from a comma, semicolon or colon on: a word or number that is
/// cut would be another one. "" if not even its first part fits.
std::string whole_parts(const ImFont* font, std::string text, float width);

/// Lines of at most `width` pixels, broken between words only: a number stays whole and with its sign and unit, while
/// Dear ImGui would break it at its point.
std::vector<std::string> lines_of_words(const ImFont* font, const std::string& text, float width);

/// A text item in ImGui's present font, broken so at its present width of wrapping, and where the text breaks; muted:
/// in a fainter colour.
void wrapped_text(const std::string& text);
void wrapped_muted(const std::string& text);

void draw_lines(ImDrawList* list, const ImFont* font, ImVec2 at, ImU32 color, const std::vector<std::string>& lines);

/// A picture's heading in the room that it has: bold on one line, or else in small type on as many as it needs.
struct Heading {
    const ImFont* font = nullptr;
    std::vector<std::string> lines;
    float height = 0.0F;
    float width = 0.0F;  // of the longest line
};
Heading heading_in(const Ui& ui, const std::string& text, float width);

/// Is told of text under the pointer.
class TextListener {
  public:
    virtual ~TextListener() = default;
    /// A line of text that begins at `at` stands under the pointer, in a window that nothing covers there.
    virtual void under_pointer(const ImFont* font, ImVec2 at, const std::string& text) = 0;
};

/// While it lives the listener is told of all text that draw_text() draws.
class ListenToText {
  public:
    explicit ListenToText(TextListener& listener);
    ~ListenToText();
    ListenToText(const ListenToText&) = delete;
    ListenToText& operator=(const ListenToText&) = delete;

  private:
    TextListener* before_;
};

/// Tells the listener of text that ImGui has drawn in the current window, in lines of at most `wrap` pixels
/// (0: in one line).
void tell_text(const ImFont* font, ImVec2 at, const std::string& text, float wrap = 0.0F);
/// The same for the last item, which is a text in ImGui's present font.
void tell_last_text(const std::string& text, float wrap = 0.0F);

enum class Placed { top_left, top, top_right, left, centre, right, bottom_left, bottom, bottom_right };
/// `at` is that point of the line.
void draw_text_placed(ImDrawList* list, const ImFont* font, ImVec2 at, Placed placed, ImU32 color,
                      const std::string& text);

/// On a badge: nothing is trained now.
inline constexpr const char* kWeightsRest = "weights rest";

/// A few words in a rounded frame whose upper left corner is at `at`, and how large such a frame is.
void draw_badge(const Ui& ui, ImDrawList* list, ImVec2 at, const std::string& words);
ImVec2 badge_size(const Ui& ui, const std::string& words);

/// A paragraph in small type, and a heading in bold.
void small_text(const Ui& ui, ImU32 color, const std::string& text);
void heading_text(const Ui& ui, const std::string& text);

}  // namespace emergence
