#include "core/settings/toml_parse.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/nesting.h"
#include "core/files/text.h"

namespace emergence {
namespace {

std::string_view toml_line(std::string_view text, uint32_t number) {
    for (uint32_t i = 1; i < number; ++i) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    return text.substr(0, text.find('\n'));
}

// What usually is wrong with a line that is not TOML.
const char* remedy_for(std::string_view line) {
    if (line.find("\xE2\x80\x9C") != std::string_view::npos ||
        line.find("\xE2\x80\x9D") != std::string_view::npos)
        return "Use straight quotes";
    if (line.find(';') != std::string_view::npos) return "Separate values by ',' instead of ';'";
    if (has_decimal_comma(line) && line.find('[') == std::string_view::npos) return kPointForComma;
    return "Correct this line: name = value, texts in quotes, lists in brackets";
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& source) {
    const std::string plain = plain_text(text, source);
    check_nesting(plain, source);
    try {
        return toml::parse(plain, source);
    } catch (const toml::parse_error& error) {
        const toml::source_position at = error.source().begin;
        std::string description(error.description());
        std::replace(description.begin(), description.end(), '\n', ' ');
        throw InputError(fmt::format("{}:{}:{}: {}. {}", source, at.line, at.column, description,
                                     remedy_for(toml_line(plain, at.line))));
    }
}

toml::table read_toml(const std::filesystem::path& path, size_t limit) {
    return parse_toml(as_text(read_file(path, limit)), path.string());
}

}  // namespace emergence
