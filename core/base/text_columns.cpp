#include "core/base/text_columns.h"

#include <algorithm>
#include <array>

#include "core/base/utf8.h"

namespace emergence {
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
