#pragma once
// Parses TOML with toml++ and turns its errors into InputErrors. Only the source files that read a kind of TOML file
// include this header; other code includes the headers of those readers.

#include <string>
#include <string_view>

#include <toml++/toml.h>

static_assert(TOML_HEADER_ONLY == 0,
              "a second parser would be compiled here: link tomlplusplus::tomlplusplus");

namespace emergence {

/// Parses `text`. Throws InputError, naming `source`, line and column, if it is not TOML.
toml::table parse_toml(std::string_view text, const std::string& source);

}  // namespace emergence
