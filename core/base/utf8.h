#pragma once
// UTF-8, and how a text of unknown origin is shown.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace emergence {

/// Stands for what is no character.
inline constexpr char32_t kReplacement = 0xFFFD;

/// Whether a character began before this byte of UTF-8.
constexpr bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }
/// The character that begins at `at`, which moves behind it. nullopt for a byte that begins none; `at` moves by one then.
std::optional<char32_t> next_character(std::string_view text, size_t& at);
void append_utf8(std::string& text, char32_t character);
bool is_utf8(std::string_view text);
/// The same text if it is UTF-8, otherwise read as Latin-1.
std::string utf8_or_latin1(std::string_view text);

/// The text with each accented letter as one character (Unicode's form NFC, marks in their usual order): so names are
/// compared, which systems spell in two ways. What is not UTF-8 stays.
std::string composed(std::string_view text);

/// The first `most` bytes, without a part of a character, and "…" if there are more.
std::string shortened(std::string_view text, size_t most);

/// Whether nothing of this character can be seen where it is drawn or printed, or it changes what stands around it:
/// controls, directions, line separators, and codes that are no characters.
bool is_unseen(char32_t character);

/// One line for a label: an unseen character is spelled as \n, \t or \u001B, a byte that is not UTF-8 as \xE9.
std::string shown_text(std::string_view text);
/// The same for several lines: line ends and tabs stay.
std::string shown_lines(std::string_view text);

/// The text in ASCII, for a terminal without UTF-8: signs and Greek letters spelled, "λ" as lambda and "½" as 1/2, what has
/// no spelling as "?".
std::string ascii_text(std::string_view text);

// How wide a text is on a terminal.

/// Columns that UTF-8 text needs: two for a Chinese character or an emoji, none for an accent set on a letter. A byte that
/// is no UTF-8 counts as one.
int columns_of(std::string_view text);

/// The bytes of the longest beginning that fits into so many columns.
size_t bytes_in_columns(std::string_view text, int columns);

/// Whether the character is of a script that pages do not set as it is read: from right to left, with letters that join,
/// or that DejaVu Sans lacks.
bool is_beyond_font(char32_t character);

}  // namespace emergence
