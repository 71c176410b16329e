#include "core/files/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/files/atomic_write.h"

namespace emergence {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr const char* kRemedy = "Save it as UTF-8: in an editor Save as, Encoding UTF-8";

// Its name, as iconv takes it.
const char* wide_encoding(std::string_view text) {
    using namespace std::string_view_literals;
    const auto starts = [text](std::string_view mark) { return text.starts_with(mark); };
    if (starts("\xFF\xFE\0\0"sv) || starts("\0\0\xFE\xFF"sv)) return "UTF-32";
    if (starts("\xFF\xFE"sv) || starts("\xFE\xFF"sv)) return "UTF-16";
    return text.front() == '\0' ? "UTF-16BE" : "UTF-16LE";
}

}  // namespace

bool is_wide_text(std::string_view text) {
    using namespace std::string_view_literals;
    const auto starts = [text](std::string_view mark) { return text.starts_with(mark); };
    const bool without_mark = text.size() > 3 && (text[0] == '\0') != (text[1] == '\0') &&
                              (text[0] == '\0') == (text[2] == '\0') &&
                              (text[1] == '\0') == (text[3] == '\0');
    return starts("\xFF\xFE"sv) || starts("\xFE\xFF"sv) || starts("\0\0\xFE\xFF"sv) || without_mark;
}

bool has_decimal_comma(std::string_view text) {
    const auto is_digit = [&](size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
    for (size_t at = text.find(','); at != std::string_view::npos; at = text.find(',', at + 1))
        if (at > 0 && is_digit(at - 1) && is_digit(at + 1)) return true;
    return false;
}

std::string place_in(std::string_view text, size_t at, const std::string& source) {
    const std::string_view before = text.substr(0, at);
    return fmt::format("{}:{}: ", source, 1 + std::count(before.begin(), before.end(), '\n'));
}

std::string plain_text(std::string_view text, const std::string& source, size_t limit) {
    if (text.size() > limit)
        throw InputError(fmt::format("{}: has {} bytes, more than the limit of {} for a text", source,
                                     text.size(), limit));
    if (is_wide_text(text))
        throw InputError(fmt::format("{}: is UTF-16 or UTF-32, not UTF-8. {}, or: iconv -f {} -t UTF-8",
                                     source, kRemedy, wide_encoding(text)));
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    std::string plain;
    for (size_t at = 0; at < text.size(); ++at)
        if (text[at] != '\r')
            plain += text[at];
        else if (at + 1 == text.size() || text[at + 1] != '\n')
            plain += '\n';
    for (size_t at = 0; at < plain.size();) {
        const size_t begin = at;
        if (!next_character(plain, at))
            throw InputError(fmt::format("{}byte {:02X} is not UTF-8. {}", place_in(plain, begin, source),
                                         static_cast<unsigned char>(plain[begin]), kRemedy));
        if (plain[begin] == '\0')
            throw InputError(place_in(plain, begin, source) +
                             "holds a NUL byte, as no text does. Remove it, or open the original file");
    }
    return plain;
}

std::string read_text(const std::filesystem::path& path, size_t limit) {
    return plain_text(as_text(read_file(path, limit)), path.string(), limit);
}

}  // namespace emergence
