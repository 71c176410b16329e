#pragma once
// Texts: numbers, counts and lists in sentences; UTF-8 and how it is shown; words for a shell and for HTML; numbers by
// name; dates.

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace emergence {

/// The number, if the whole text is one within T's range.
template <class T, class... Base>
std::optional<T> parsed(std::string_view text, Base... base) {
    T value = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value, base...);
    return result.ec == std::errc() && result.ptr == end ? std::optional(value) : std::nullopt;
}

/// The number rounded to this many significant digits, in any locale. NaN and infinities stay as they are.
double rounded(double value, int digits);
/// A number's text without the sign of a zero: "0.00" for "-0.00".
std::string unsigned_zero(std::string number);
/// The numbers with just enough significant digits to tell them apart, at least `digits`.
std::vector<std::string> told_apart(const std::vector<double>& values, int digits = 3);

std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n");

/// The text with its ASCII letters in lower case, in upper case, and with only the first in upper case.
std::string small_letters(std::string_view text);
std::string capital_letters(std::string_view text);
std::string capitalised(std::string_view text);

/// The word for how many: what a seed's number names is a network. Other words stay.
inline std::string counted_as(const std::string& word) { return word == "seed" ? "network" : word; }

/// "1 seed", "3 seeds". `many`: a plural that is not the word with an s.
template <class Count>
std::string counted(Count count, std::string_view word, std::string_view many = "") {
    if (count == 1 || many.empty()) return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
    return fmt::format("{} {}", count, many);
}

/// "a, b, c": for each element what `of`, a function or a member, gives.
template <class Range, class Of>
std::string listed(const Range& range, const Of& of, std::string_view separator = ", ") {
    std::string list;
    for (const auto& each : range) list += fmt::format("{}{}", list.empty() ? "" : separator, std::invoke(of, each));
    return list;
}

/// At most `most` of `names`, nearest to `name` first (Levenshtein distance, ignoring case). Omits names that are too
/// far away. A substring counts as near: "8a" finds "wang-8a".
std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& names, size_t most = 3);

/// ". Did you mean 'wang-2'?"; "" if none is near.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& names);

/// "6.2 %" for the share 0.062; "0 %" for rounding errors.
std::string percent_of(double share);

// UTF-8, and how a text of unknown origin is shown.

/// Replaces bytes that are no character.
inline constexpr char32_t kReplacement = 0xFFFD;

constexpr bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }
/// The character at `at`, which moves behind it. nullopt if no character begins there; `at` then moves by one byte.
std::optional<char32_t> next_character(std::string_view text, size_t& at);
void append_utf8(std::string& text, char32_t character);
bool is_utf8(std::string_view text);
/// The same text if it is UTF-8, otherwise read as Latin-1.
std::string utf8_or_latin1(std::string_view text);

/// The first `most` bytes without a broken last character, and "…" if the text is longer.
std::string shortened(std::string_view text, size_t most);

/// True if this character draws nothing, or changes the text around it: controls, directions, line separators, and
/// codes that are no characters.
bool is_unseen(char32_t character);

/// One line for a label: an unseen character is spelled as \n, \t or \u001B, a byte that is not UTF-8 as \xE9.
std::string shown_text(std::string_view text);
/// The same for several lines: line ends and tabs stay.
std::string shown_lines(std::string_view text);

/// The text with Greek letters spelled, "λ" as lambda: as it is typed on a keyboard without them.
std::string ascii_text(std::string_view text);

/// The columns that UTF-8 text needs on a terminal: one for each character, and for each byte that is not UTF-8.
int columns_of(std::string_view text);

/// The number of bytes of the longest beginning that fits into this many columns.
size_t bytes_in_columns(std::string_view text, int columns);

/// True if our pages cannot set this character properly: its script runs from right to left, joins its letters, or is
/// missing in DejaVu Sans.
bool is_beyond_font(char32_t character);

// Commands that a person copies from a message into a shell.

/// The text that a POSIX shell reads back as `word`: quoted where needed, with unprintable bytes spelled.
std::string shell_word(std::string_view word);

/// A path that no program mistakes for an option: "./-x" for "-x".
std::string path_argument(std::string_view path);
/// The same, quoted for a shell.
inline std::string shell_path(std::string_view path) { return shell_word(path_argument(path)); }

/// "emergence-cli" with these words.
std::string shell_command(const std::vector<std::string>& arguments);

/// The text with `&`, `<`, `>` and `"` as entities of XML and HTML.
inline std::string markup_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const char* name = c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : nullptr;
        name != nullptr ? out += name : out += c;
    }
    return out;
}

// Numbers by name in one text, "p2,3=0.7 r1=-0.5": the value of a field that holds changes made by hand.

using NamedNumbers = std::map<std::string, double>;

/// Reads entries name=number, separated by spaces, tabs, line breaks or semicolons. Throws InputError, naming the
/// entry, if one lacks a name or a finite number, or repeats a name.
NamedNumbers parse_named_numbers(std::string_view text);

/// The entries in the order of their names, each number in the shortest form that reads back to the same number.
std::string to_text(const NamedNumbers& numbers);

/// `text` with this number under the name, or without the name. An unreadable text counts as empty.
std::string with_number(std::string_view text, const std::string& name, std::optional<double> value);

// Dates and times as text, in the time zone of this machine.

/// A file's time in strftime's format, e.g. "%Y-%m-%d %H:%M".
std::string local_time(std::filesystem::file_time_type time, const char* format);
/// The present time in strftime's format.
std::string local_time(const char* format);

/// The present time for names of files and folders: "20261122-081500".
inline std::string time_stamp() { return local_time("%Y%m%d-%H%M%S"); }

}  // namespace emergence
