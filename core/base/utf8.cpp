#include "core/base/text.h"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "core/base/ranges.h"

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
    constexpr char32_t kFirst[] = {0, 0xC0, 0xE0, 0xF0};
    int more = character < 0x80 ? 0 : character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;  // bytes that follow
    text += static_cast<char>(kFirst[more] | character >> 6 * more);
    while (more-- > 0) text += static_cast<char>(0x80U | (character >> 6 * more & 0x3FU));
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

constexpr std::pair<std::u32string_view, std::string_view> kSpellings[] = {
    {U"‘’‚′⊤", "'"},   {U"αΑ", "alpha"}, {U"β", "beta"}, {U"γ", "gamma"}, {U"δ", "delta"}, {U"Δ", "Delta"},
    {U"ε", "epsilon"}, {U"ζ", "zeta"},   {U"η", "eta"},  {U"θ", "theta"}, {U"κ", "kappa"}, {U"λ", "lambda"},
    {U"Λ", "Lambda"},  {U"µμ", "mu"},    {U"ν", "nu"},   {U"ξ", "xi"},    {U"π", "pi"},    {U"ρ", "rho"},
    {U"σ", "sigma"},   {U"Σ", "Sigma"},  {U"τ", "tau"},  {U"φ", "phi"},   {U"Φ", "Phi"},   {U"χ", "chi"},
    {U"ψ", "psi"},     {U"ω", "omega"},  {U"Ω", "Omega"}};

std::string ascii_text(std::string_view text) {
    std::string ascii;
    for (size_t at = 0; at < text.size();) {
        const size_t from = at;
        const std::optional<char32_t> character = next_character(text, at);
        const auto spelling = find_if(kSpellings, [&](const auto& one) {
            return character && one.first.find(*character) != std::u32string_view::npos;
        });
        ascii += spelling == std::end(kSpellings) ? text.substr(from, at - from) : spelling->second;
    }
    return ascii;
}

std::string shown_text(std::string_view text) {
    return shown(text, [](char32_t) { return false; });
}

std::string shown_lines(std::string_view text) {
    return shown(text, [](char32_t c) { return c == '\n' || c == '\t'; });
}

// Blocks of characters, from the first to the last.
using CharacterBlock = std::pair<char32_t, char32_t>;
// Unicode's East Asian Width (W and F) and its combining marks, coarsely.
constexpr CharacterBlock kTwoColumns[] = {{0x1100, 0x115F},   {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},  {0xF900, 0xFAFF},
                                          {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F},
                                          {0x1F680, 0x1F6FF}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};
constexpr CharacterBlock kNoColumn[] = {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20F0}, {0xFE00, 0xFE0F}};
constexpr CharacterBlock kBeyondFont[] = {{0x0590, 0x109F}, {0x1100, 0x1CFF},   {0x2E80, 0xD7FF},
                                          {0xF900, 0xFAFF}, {0xFB1D, 0xFDFF},   {0xFE30, 0xFEFC},
                                          {0xFF00, 0xFFEF}, {0x10000, 0x1D3FF}, {0x1F000, 0x3FFFD}};

static bool is_one_of(std::span<const CharacterBlock> blocks, char32_t character) {
    return any_of(blocks, [character](const CharacterBlock& block) {
        return character >= block.first && character <= block.second;
    });
}

// The columns of the character at `at`, which moves behind it.
static int next_columns(std::string_view text, size_t& at) {
    const auto character = next_character(text, at);
    return !character ? 1 : is_one_of(kNoColumn, *character) ? 0 : is_one_of(kTwoColumns, *character) ? 2 : 1;
}

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

bool is_beyond_font(char32_t character) { return is_one_of(kBeyondFont, character); }

}  // namespace emergence
