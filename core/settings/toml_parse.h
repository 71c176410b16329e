#pragma once
// Parses TOML with toml++ and turns its errors into InputErrors. Only the source files that read a kind of TOML file
// include this header; other code includes the headers of those readers.

#include <filesystem>
#include <string>
#include <string_view>

#include <toml++/toml.h>

#include "core/files/limits.h"

static_assert(TOML_HEADER_ONLY == 0,
              "a second parser would be compiled here: link tomlplusplus::tomlplusplus");

namespace emergence {

/// Parses `text`, read by plain_text() and nested at most kDeepestText levels. Throws InputError, naming `source`, line and
/// column, if it is not TOML.
toml::table parse_toml(std::string_view text, const std::string& source);
/// The same from a file. Throws InputError also if it cannot be read or has more than `limit` bytes.
toml::table read_toml(const std::filesystem::path& path, size_t limit = kMostTomlBytes);

}  // namespace emergence
