#include "core/settings/toml_parse.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"

namespace emergence {

toml::table parse_toml(std::string_view text, const std::string& source) {
    try {
        return toml::parse(text, source);
    } catch (const toml::parse_error& error) {
        std::string description(error.description());
        std::replace(description.begin(), description.end(), '\n', ' ');
        throw InputError(fmt::format("{}:{}:{}: {}", source, error.source().begin.line,
                                     error.source().begin.column, description));
    }
}

}  // namespace emergence
