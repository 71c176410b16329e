#pragma once
// TOML text as toml++ reads it, its complaints as InputErrors. For source files that read one kind of TOML
// file; everybody else includes what those offer.

#include <string>
#include <string_view>

#include <toml++/toml.h>

namespace emergence {

/// Throws InputError, naming `source`, line and column, where `text` is not TOML.
toml::table parse_toml(std::string_view text, const std::string& source);

}  // namespace emergence
