// settings_in_pdf: reads the keywords of a PDF's document information, from a plain object or an object stream
// (PDF 1.5).

#include <fmt/format.h>

#include <cctype>

#include "core/base/text.h"
#include "core/files/bytes.h"
#include "core/settings/embedded_settings.h"

namespace emergence {
namespace {

// Of a string in the file, in characters: UTF-16 in hexadecimal digits.
constexpr size_t kLongestText = size_t{1} << 21;
// Of an object stream, unpacked.
constexpr size_t kLongestStream = size_t{1} << 22;
// At most so many keywords and object streams are tried.
constexpr int kMostCandidates = 8;
// At most so many references are followed: for each the whole file is searched.
constexpr int kMostReferences = 4;
constexpr std::string_view kKeywords = "/Keywords";
constexpr std::string_view kXmpKeywords = "pdf:Keywords";
constexpr std::string_view kObjectStream = "/ObjStm";

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

// The bytes of a hexadecimal string <FEFF0067...>; `text` begins after the bracket.
std::optional<std::string> hex_string(std::string_view text) {
    std::string bytes;
    int high = -1;
    for (const char c : text.substr(0, kLongestText)) {
        if (c == '>') {
            if (high >= 0) bytes += static_cast<char>(high << 4);
            return bytes;
        }
        if (std::isspace(static_cast<unsigned char>(c)) != 0) continue;
        const int digit = hex_digit(c);
        if (digit < 0) return std::nullopt;
        if (high < 0) {
            high = digit;
        } else {
            bytes += static_cast<char>(high << 4 | digit);
            high = -1;
        }
    }
    return std::nullopt;
}

// The characters that an escape sequence stands for. `at` is the place after the backslash and moves to the last
// character of the sequence.
std::string unescaped(std::string_view text, size_t& at) {
    const char c = text[at];
    static constexpr std::string_view kLetters = "nrtbf", kMeanings = "\n\r\t\b\f";
    if (const size_t letter = kLetters.find(c); letter != std::string_view::npos) return {kMeanings[letter]};
    if (c == '\n') return "";  // the string continues on the next line
    if (c < '0' || c > '7') return {c};
    int code = 0;
    size_t end = at;
    while (end < text.size() && end < at + 3 && text[end] >= '0' && text[end] <= '7')
        code = code * 8 + (text[end++] - '0');
    at = end - 1;
    return {static_cast<char>(code)};
}

// The bytes of a literal string (gamma = 0.9); `text` begins after the bracket.
std::optional<std::string> literal_string(std::string_view text) {
    text = text.substr(0, kLongestText);
    std::string bytes;
    int depth = 1;
    for (size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\\') {
            if (++at < text.size()) bytes += unescaped(text, at);
            continue;
        }
        if (c == '(') ++depth;
        if (c == ')' && --depth == 0) return bytes;
        bytes += c;
    }
    return std::nullopt;
}

// A PDF text string as UTF-8: from UTF-16 with its mark, from UTF-8, or from one byte per character.
std::string decoded(const std::string& bytes) {
    if (bytes.starts_with("\xEF\xBB\xBF")) return bytes.substr(3);
    if (!bytes.starts_with("\xFE\xFF")) return utf8_or_latin1(bytes);
    const auto unit = [&](size_t at) {
        return static_cast<uint32_t>(static_cast<unsigned char>(bytes[at])) << 8 |
               static_cast<unsigned char>(bytes[at + 1]);
    };
    std::string text;
    for (size_t at = 2; at + 1 < bytes.size(); at += 2) {
        uint32_t code = unit(at);
        const bool high = code >= 0xD800 && code < 0xDC00;
        if (high && at + 3 < bytes.size() && unit(at + 2) >= 0xDC00 && unit(at + 2) < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (unit(at + 2) - 0xDC00);
            at += 2;
        }
        append_utf8(text, code);
    }
    return text;
}

// The object that "12 0 R" refers to; empty if none.
std::string_view referred(std::string_view file, std::string_view reference) {
    size_t digits = 0;
    while (digits < reference.size() && digits < 10 && std::isdigit(static_cast<unsigned char>(reference[digits])))
        ++digits;
    if (digits == 0) return {};
    const std::string head = fmt::format("\n{} 0 obj", reference.substr(0, digits));
    const size_t at = file.rfind(head);
    return at == std::string_view::npos ? std::string_view{} : file.substr(at + head.size());
}

std::string_view after_spaces(std::string_view text) {
    const size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

std::optional<std::string> string_at(std::string_view text) {
    if (text.starts_with('(')) return literal_string(text.substr(1));
    if (text.starts_with('<')) return hex_string(text.substr(1));
    return std::nullopt;
}

// What `read` finds behind the last occurrences of `key`: a changed file has its newest objects at its end.
std::optional<std::string> found_from_end(std::string_view text, std::string_view key, const auto& read) {
    size_t at = text.rfind(key);
    for (int i = 0; i < kMostCandidates && at != std::string_view::npos; ++i) {
        if (std::optional<std::string> found = read(text.substr(at + key.size()))) return found;
        at = at == 0 ? std::string_view::npos : text.rfind(key, at - 1);
    }
    return std::nullopt;
}

std::optional<std::string> if_settings(std::string text) {
    return text.find("experiment") != std::string::npos ? std::optional(std::move(text)) : std::nullopt;
}

// The keywords in `part` of `file`. `left`: how many references may still be followed.
std::optional<std::string> keywords_in(std::string_view part, std::string_view file, int& left) {
    return found_from_end(part, kKeywords, [&](std::string_view value) -> std::optional<std::string> {
        value = after_spaces(value);
        if (!value.empty() && std::isdigit(static_cast<unsigned char>(value[0])) != 0 && left-- > 0)
            value = after_spaces(referred(file, value));
        const auto bytes = string_at(value);
        return bytes ? if_settings(decoded(*bytes)) : std::nullopt;
    });
}

// The keywords in a packet of XMP, which some programs keep when they drop the document information: an element or an
// attribute, pdf:Keywords.
std::optional<std::string> keywords_in_xmp(std::string_view file) {
    return found_from_end(file, kXmpKeywords, [](std::string_view value) -> std::optional<std::string> {
        value = value.substr(0, kLongestText);
        const bool element = value.starts_with('>'), attribute = value.starts_with("=\"") || value.starts_with("='");
        const size_t begin = element ? 1 : 2;
        const size_t end = element ? value.find('<') : attribute ? value.find(value[1], begin) : std::string_view::npos;
        if (end == std::string_view::npos) return std::nullopt;
        return if_settings(without_entities(value.substr(begin, end - begin)));
    });
}

std::optional<std::string> unpacked_stream(std::string_view object) {
    size_t begin = object.find("stream");
    if (begin == std::string_view::npos) return std::nullopt;
    begin += 6;
    if (object.substr(begin).starts_with("\r\n"))
        begin += 2;
    else if (object.substr(begin).starts_with('\n'))
        begin += 1;
    return inflate_text(object.substr(begin, kLongestStream), kLongestStream);
}

}  // namespace

std::optional<std::string> settings_in_pdf(std::string_view bytes) {
    int references = kMostReferences;
    if (const auto text = keywords_in(bytes, bytes, references)) return text;
    const auto text = found_from_end(bytes, kObjectStream, [&](std::string_view object) {
        const auto objects = unpacked_stream(object);
        return objects ? keywords_in(*objects, bytes, references) : std::nullopt;
    });
    return text ? text : keywords_in_xmp(bytes);
}

}  // namespace emergence
