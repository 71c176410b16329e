#include "core/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace emergence {

namespace {

constexpr char32_t kLastCharacter = 0x10FFFF;

bool is_surrogate(char32_t character) { return character >= 0xD800 && character < 0xE000; }

std::string spelled(char32_t character) {
    if (character == '\n') return "\\n";
    if (character == '\t') return "\\t";
    const auto code = static_cast<uint32_t>(character);
    return character > 0xFFFF ? fmt::format("\\U{:08X}", code) : fmt::format("\\u{:04X}", code);
}

template <class Stays>
std::string shown(std::string_view text, const Stays& stays) {
    std::string out;
    for (size_t at = 0; at < text.size();) {
        const size_t begin = at;
        const std::optional<char32_t> character = next_character(text, at);
        if (!character)
            out += fmt::format("\\x{:02X}", static_cast<unsigned char>(text[begin]));
        else if (stays(*character) || !is_unseen(*character))
            out += text.substr(begin, at - begin);
        else
            out += spelled(*character);
    }
    return out;
}

}  // namespace

std::optional<char32_t> next_character(std::string_view text, size_t& at) {
    const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
    const uint32_t first = byte(at++);
    if (first < 0x80) return first;
    const size_t more = first >= 0xF8 ? 0 : first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC2 ? 1 : 0;
    if (more == 0 || text.size() - at < more) return std::nullopt;
    char32_t character = first & (0x3FU >> more);
    for (size_t i = 0; i < more; ++i) {
        if ((byte(at + i) & 0xC0U) != 0x80U) return std::nullopt;
        character = character << 6U | (byte(at + i) & 0x3FU);
    }
    constexpr char32_t kLeast[] = {0, 0x80, 0x800, 0x10000};  // below it a shorter form exists
    if (character < kLeast[more] || character > kLastCharacter || is_surrogate(character)) return std::nullopt;
    at += more;
    return character;
}

void append_utf8(std::string& text, char32_t character) {
    const auto put = [&](char32_t bits) { text += static_cast<char>(bits); };
    const auto tail = [&](int shift) { put(0x80U | (character >> shift & 0x3FU)); };
    if (character < 0x80) {
        put(character);
    } else if (character < 0x800) {
        put(0xC0U | character >> 6);
        tail(0);
    } else if (character < 0x10000) {
        put(0xE0U | character >> 12);
        tail(6);
        tail(0);
    } else {
        put(0xF0U | character >> 18);
        tail(12);
        tail(6);
        tail(0);
    }
}

bool is_utf8(std::string_view text) {
    for (size_t at = 0; at < text.size();)
        if (!next_character(text, at)) return false;
    return true;
}

std::string utf8_or_latin1(std::string_view text) {
    if (is_utf8(text)) return std::string(text);
    std::string out;
    for (const char c : text) append_utf8(out, static_cast<unsigned char>(c));
    return out;
}

std::string shortened(std::string_view text, size_t most) {
    if (text.size() <= most) return std::string(text);
    size_t end = 0;
    for (size_t at = 0; at <= most; next_character(text, at)) end = at;
    return std::string(text.substr(0, end)) + "…";
}

bool is_unseen(char32_t c) {
    const auto within = [c](char32_t low, char32_t high) { return c >= low && c <= high; };
    const bool control = c < 0x20 || within(0x7F, 0x9F);
    const bool direction = c == 0x61C || within(0x200E, 0x200F) || within(0x202A, 0x202E) || within(0x2066, 0x2069);
    const bool break_or_mark = within(0x2028, 0x2029) || c == 0xFEFF;
    const bool no_width =
        c == 0x200B || within(0x2060, 0x2064);  // joiners, 0x200C and 0x200D, shape what is beside them
    const bool no_character = within(0xFDD0, 0xFDEF) || (c & 0xFFFEU) == 0xFFFE || is_surrogate(c);
    return control || direction || break_or_mark || no_width || no_character;
}

std::string shown_text(std::string_view text) {
    return shown(text, [](char32_t) { return false; });
}

std::string shown_lines(std::string_view text) {
    return shown(text, [](char32_t c) { return c == '\n' || c == '\t'; });
}

namespace {

struct CharacterBlock {
    char32_t first, last;
};
// Of Unicode's East Asian Width (W and F) and of its combining marks, coarsely.
constexpr std::array kTwoColumns{
    CharacterBlock{0x1100, 0x115F},   CharacterBlock{0x2E80, 0xA4CF},   CharacterBlock{0xAC00, 0xD7A3},
    CharacterBlock{0xF900, 0xFAFF},   CharacterBlock{0xFE30, 0xFE6F},   CharacterBlock{0xFF00, 0xFF60},
    CharacterBlock{0xFFE0, 0xFFE6},   CharacterBlock{0x1F300, 0x1F64F}, CharacterBlock{0x1F680, 0x1F6FF},
    CharacterBlock{0x1F900, 0x1FAFF}, CharacterBlock{0x20000, 0x3FFFD}};
constexpr std::array kNoColumn{CharacterBlock{0x0300, 0x036F}, CharacterBlock{0x200B, 0x200F},
                               CharacterBlock{0x20D0, 0x20F0}, CharacterBlock{0xFE00, 0xFE0F}};

template <size_t n>
bool is_one_of(const std::array<CharacterBlock, n>& blocks, char32_t character) {
    return std::any_of(blocks.begin(), blocks.end(), [character](const CharacterBlock& block) {
        return character >= block.first && character <= block.last;
    });
}

// Of the character at `at`, which moves behind it.
int next_columns(std::string_view text, size_t& at) {
    const auto character = next_character(text, at);
    return !character ? 1 : is_one_of(kNoColumn, *character) ? 0 : is_one_of(kTwoColumns, *character) ? 2 : 1;
}

}  // namespace

int columns_of(std::string_view text) {
    int columns = 0;
    for (size_t at = 0; at < text.size();) columns += next_columns(text, at);
    return columns;
}

size_t bytes_in_columns(std::string_view text, int columns) {
    size_t end = 0;
    for (size_t at = 0; at < text.size(); end = at)
        if ((columns -= next_columns(text, at)) < 0) break;
    return end;
}

}  // namespace emergence
