#include "core/files/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"

namespace emergence {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr const char* kRemedy = "Save it as UTF-8: in an editor Save as, Encoding UTF-8";

// The name of UTF-16 or UTF-32 for iconv, known by its mark or by a NUL in every other byte; null for other texts.
static const char* wide_encoding(std::string_view text) {
    using namespace std::string_view_literals;
    const auto starts = [text](std::string_view mark) { return text.starts_with(mark); };
    const auto is_nul = [text](size_t at) { return text[at] == '\0'; };
    if (starts("\xFF\xFE\0\0"sv) || starts("\0\0\xFE\xFF"sv)) return "UTF-32";
    if (starts("\xFF\xFE"sv) || starts("\xFE\xFF"sv)) return "UTF-16";
    const bool without_mark =
        text.size() > 3 && is_nul(0) != is_nul(1) && is_nul(0) == is_nul(2) && is_nul(1) == is_nul(3);
    return !without_mark ? nullptr : is_nul(0) ? "UTF-16BE" : "UTF-16LE";
}

// The place behind the string that begins at `at`: "...", '...', or TOML's form with three quotes, which may have many
// lines. A string without an end reaches to the end of its line, or of the text.
static size_t after_string(std::string_view text, size_t at) {
    const char quote = text[at];
    const std::string three(3, quote);
    const bool long_form = text.substr(at, 3) == three;
    at += long_form ? 3 : 1;
    while (at < text.size() && (long_form || text[at] != '\n')) {
        if (quote == '"' && text[at] == '\\') {
            at = std::min(at + 2, text.size());
        } else if (long_form && text.substr(at, 3) == three) {
            // Up to two more quotes belong to the string.
            at += 3;
            for (int more = 0; more < 2 && at < text.size() && text[at] == quote; ++more) ++at;
            return at;
        } else if (text[at++] == quote && !long_form) {
            return at;
        }
    }
    return at;
}

bool is_wide_text(std::string_view text) { return wide_encoding(text) != nullptr; }

bool has_decimal_comma(std::string_view text) {
    const auto is_digit = [&](size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
    for (size_t at = text.find(','); at != std::string_view::npos; at = text.find(',', at + 1))
        if (at > 0 && is_digit(at - 1) && is_digit(at + 1)) return true;
    return false;
}

std::string comma_remedy(std::string_view text) {
    return has_decimal_comma(text) ? fmt::format(". {}", kPointForComma) : "";
}

std::string said_of_retired(std::string_view kind, std::string_view name) {
    static const std::string text = [] {
        try {
            return read_text(assets_folder() / "retired.txt");
        } catch (const std::exception&) {  // without assets nothing is known
            return std::string();
        }
    }();
    std::istringstream lines(text);
    for (std::string kinds, line; lines >> kinds && std::getline(lines >> std::ws, line);)
        if (kinds.find(kind) != std::string::npos && line.starts_with(fmt::format("{} = ", name)))
            return line.substr(name.size() + 3);
    return "";
}

std::string unknown_name(std::string_view kind, std::string_view name, const std::vector<std::string>& names,
                         std::string_view how_to_list) {
    constexpr size_t kFew = 12;  // the longest list of names that a message shows in full
    if (std::string said = said_of_retired(kind, name); !said.empty()) return said;
    if (names.size() <= kFew || how_to_list.empty())
        return fmt::format("unknown {} '{}'. Known: {}{}", kind, name, fmt::join(names, ", "),
                           did_you_mean(name, names));
    const std::vector<std::string> near = near_names(name, names);
    if (near.empty()) return fmt::format("unknown {} '{}' ({})", kind, name, how_to_list);
    return fmt::format("unknown {} '{}' (did you mean '{}'? {})", kind, name, fmt::join(near, "' or '"), how_to_list);
}

std::string place_in(std::string_view text, size_t at, const std::string& source) {
    const std::string_view before = text.substr(0, at);
    return fmt::format("{}:{}: ", source, 1 + std::count(before.begin(), before.end(), '\n'));
}

std::string fault_text(const std::string& source, const FileFault& fault) {
    return fault.line == 0 ? fmt::format("{}: {}", source, fault.reason)
                           : fmt::format("{}:{}: {}", source, fault.line, fault.reason);
}

std::string plain_text(std::string_view text, const std::string& source, size_t limit) {
    if (text.size() > limit)
        throw InputError("{}: has {} bytes, more than the limit of {} for a text file", source, text.size(), limit);
    if (const char* encoding = wide_encoding(text))
        throw InputError("{}: is UTF-16 or UTF-32, not UTF-8. {}, or: iconv -f {} -t UTF-8", source, kRemedy, encoding);
    if (text.starts_with("\x1F\x8B")) throw InputError(source + ": is compressed. Unpack it with gunzip");
    if (text.starts_with("PK\x03\x04"))
        throw InputError(source + ": is a ZIP archive or a spreadsheet. Unpack it, or save its table as CSV");
    while (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    std::string plain;
    for (size_t at = 0; at < text.size(); ++at)
        if (text[at] != '\r')
            plain += text[at];
        else if (at + 1 == text.size() || text[at + 1] != '\n')
            plain += '\n';
    if (plain.ends_with('\x1A')) plain.pop_back();  // the end of a file of DOS
    for (size_t at = 0; at < plain.size();) {
        const size_t begin = at;
        if (!next_character(plain, at))
            throw InputError("{}byte {:02X} is not UTF-8. {}", place_in(plain, begin, source),
                             static_cast<unsigned char>(plain[begin]), kRemedy);
        if (plain[begin] == '\0')
            throw InputError(place_in(plain, begin, source) +
                             "holds a NUL byte, which no text may have. Remove it, or open the original file");
    }
    return plain;
}

std::string read_text(const std::filesystem::path& path, size_t limit) {
    return plain_text(as_text(read_file(path, limit)), path.string(), limit);
}

void check_nesting(std::string_view text, const std::string& source) {
    int brackets = 0, parts = 0;  // open brackets; parts of the present dotted key
    for (size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '"' || c == '\'') {
            at = after_string(text, at);
            continue;
        }
        if (c == '[' || c == '{') ++brackets;
        if (c == ']' || c == '}') brackets = std::max(0, brackets - 1);
        parts = c == '.' ? parts + 1 : std::string_view("\n,=[{").find(c) != std::string_view::npos ? 0 : parts;
        if (std::max(brackets, parts) > kDeepestText)
            throw InputError(
                "{}is nested deeper than {} levels (brackets and the parts of dotted keys). Write it flatter",
                place_in(text, at, source), kDeepestText);
        at = c == '#' ? std::min(text.find('\n', at), text.size()) : at + 1;
    }
}

}  // namespace emergence
