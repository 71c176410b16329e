#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <utility>

#include "core/base/error.h"
#include "core/base/ranges.h"

namespace emergence {

// Levenshtein distance of small letters.
static size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

double rounded(double value, int digits) {
    return parsed<double>(fmt::format("{:.{}g}", value, digits)).value_or(value);
}

std::string unsigned_zero(std::string number) {
    const bool zero = number.find_first_not_of("-0.") == std::string::npos && number.find('0') != std::string::npos;
    if (zero && number.starts_with('-')) number.erase(0, 1);
    return number;
}

std::vector<std::string> told_apart(const std::vector<double>& values, int digits) {
    constexpr int kMostDigits = 17;
    for (;; ++digits) {
        std::vector<std::string> texts;
        bool differ = true;
        for (size_t i = 0; i < values.size(); ++i) {
            texts.push_back(unsigned_zero(fmt::format("{:.{}g}", values[i], digits)));
            for (size_t other = 0; other < i; ++other)
                differ = differ && (texts[other] != texts[i] || values[other] == values[i]);
        }
        if (differ || digits == kMostDigits) return texts;
    }
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
    const size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

// Moves the 26 letters from `first` on to those from `to` on.
static std::string with_letters(std::string_view text, char first, char to) {
    std::string moved(text);
    for (char& c : moved) c = c >= first && c <= first + 25 ? static_cast<char>(c - first + to) : c;
    return moved;
}

std::string small_letters(std::string_view text) { return with_letters(text, 'A', 'a'); }

std::string capital_letters(std::string_view text) { return with_letters(text, 'a', 'A'); }

std::string capitalised(std::string_view text) {
    return capital_letters(text.substr(0, 1)) + std::string(text.substr(std::min<size_t>(1, text.size())));
}

std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& names, size_t most) {
    const size_t too_far = std::min<size_t>(4, 1 + name.size() / 2);
    std::vector<std::pair<size_t, std::string>> near;
    for (const std::string& known : names) {
        // Prefer substring matches to typos.
        const bool part = name.size() >= 2 && known.find(name) != std::string::npos;
        if (name.size() > known.size() + too_far) continue;
        const size_t distance = part ? 1 : edit_distance(small_letters(name), small_letters(known));
        if (distance < too_far || part) near.emplace_back(distance, known);
    }
    std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> result;
    for (size_t i = 0; i < std::min(most, near.size()); ++i) result.push_back(near[i].second);
    return result;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& names) {
    const std::vector<std::string> near = near_names(name, names, 1);
    return near.empty() ? "" : fmt::format(". Did you mean '{}'?", near.front());
}

std::string percent_of(double share) {
    constexpr double kRounding = 1e-9;
    return fmt::format("{:.3g} %", share < kRounding ? 0.0 : 100 * share);
}

static bool is_shown_as_it_is(std::string_view word) {
    for (size_t at = 0; at < word.size();)
        if (const auto character = next_character(word, at); !character || is_unseen(*character)) return false;
    return true;
}

// Spells bytes that would not be printed; printf makes them again, in any shell.
static std::string printed_word(std::string_view word) {
    std::string format;
    for (const char c : word) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte > 0x7E || c == '\'' || c == '\\')
            format += fmt::format("\\{:03o}", byte);
        else
            format += c == '%' ? std::string("%%") : std::string(1, c);
    }
    return "\"$(printf '" + format + "')\"";
}

std::string shell_word(std::string_view word) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=_-./,:+@%";
    if (!is_shown_as_it_is(word)) return printed_word(word);
    // zsh replaces a word that begins with "=".
    if (!word.empty() && word.front() != '=' && word.find_first_not_of(kPlain) == std::string_view::npos)
        return std::string(word);
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string path_argument(std::string_view path) { return (path.starts_with('-') ? "./" : "") + std::string(path); }

std::string shell_command(const std::vector<std::string>& arguments) {
    std::string text = "emergence-cli";
    for (const std::string& word : arguments) text += " " + shell_word(word);
    return text;
}

constexpr std::string_view kSeparators = " \t\r\n;";

static double parsed_number(std::string_view entry, std::string_view text) {
    const auto value = parsed<double>(text);
    if (!value || !std::isfinite(*value)) throw InputError("'{}': '{}' is not a number", entry, text);
    return *value;
}

NamedNumbers parse_named_numbers(std::string_view text) {
    NamedNumbers numbers;
    for (size_t begin = text.find_first_not_of(kSeparators); begin != std::string_view::npos;) {
        const size_t end = std::min(text.find_first_of(kSeparators, begin), text.size());
        const std::string_view entry = text.substr(begin, end - begin);
        const size_t equals = entry.find('=');
        if (equals == std::string_view::npos || equals == 0) throw InputError("'{}' is not name=number", entry);
        const std::string name(entry.substr(0, equals));
        if (!numbers.emplace(name, parsed_number(entry, entry.substr(equals + 1))).second)
            throw InputError("'{}': the name '{}' is given twice", entry, name);
        begin = text.find_first_not_of(kSeparators, end);
    }
    return numbers;
}

std::string to_text(const NamedNumbers& numbers) {
    std::string text;
    for (const auto& [name, value] : numbers) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    return text;
}

std::string with_number(std::string_view text, const std::string& name, std::optional<double> value) {
    NamedNumbers numbers;
    try {
        numbers = parse_named_numbers(text);
    } catch (const InputError&) {
        // An unreadable text counts as empty.
    }
    numbers.erase(name);
    if (value) numbers[name] = *value;
    return to_text(numbers);
}

static std::string formatted_time(std::time_t time, const char* format) {
    std::tm local{};
    ::localtime_r(&time, &local);
    char text[64];
    return {text, std::strftime(text, sizeof text, format, &local)};
}

std::string local_time(std::filesystem::file_time_type time, const char* format) {
    const auto system = std::chrono::file_clock::to_sys(time);
    return formatted_time(
        std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::system_clock::duration>(system)),
        format);
}

std::string local_time(const char* format) { return formatted_time(std::time(nullptr), format); }

// UTF-8.

constexpr char32_t kLastCharacter = 0x10FFFF;

static bool is_surrogate(char32_t character) { return character >= 0xD800 && character < 0xE000; }

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

static std::string spelled(char32_t character) {
    if (character == '\n') return "\\n";
    if (character == '\t') return "\\t";
    const auto code = static_cast<uint32_t>(character);
    return character > 0xFFFF ? fmt::format("\\U{:08X}", code) : fmt::format("\\u{:04X}", code);
}

template <class Stays>
static std::string shown(std::string_view text, const Stays& stays) {
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

std::string shown_text(std::string_view text) {
    return shown(text, [](char32_t) { return false; });
}

std::string shown_lines(std::string_view text) {
    return shown(text, [](char32_t c) { return c == '\n' || c == '\t'; });
}

int columns_of(std::string_view text) {
    int columns = 0;
    for (size_t at = 0; at < text.size(); next_character(text, at)) ++columns;
    return columns;
}

size_t bytes_in_columns(std::string_view text, int columns) {
    size_t end = 0;
    for (int i = 0; i < columns && end < text.size(); ++i) next_character(text, end);
    return end;
}

bool is_beyond_font(char32_t character) {
    // Blocks of characters, from the first to the last.
    static constexpr std::pair<char32_t, char32_t> kBlocks[] = {
        {0x0590, 0x109F}, {0x1100, 0x1CFF}, {0x2E80, 0xD7FF},   {0xF900, 0xFAFF},  {0xFB1D, 0xFDFF},
        {0xFE30, 0xFEFC}, {0xFF00, 0xFFEF}, {0x10000, 0x1D3FF}, {0x1F000, 0x3FFFD}};
    return any_of(kBlocks, [&](const auto& block) { return character >= block.first && character <= block.second; });
}

}  // namespace emergence
