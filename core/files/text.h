#pragma once
// The one reader of text: files, what is pasted, what other files hold.

#include <filesystem>
#include <string>
#include <string_view>

#include "core/files/limits.h"

namespace emergence {

/// UTF-8 without a byte-order mark, with \n at the ends of lines. Throws InputError, naming
/// `source` and the line, for other encodings, NUL bytes, and more than `limit` bytes, with what to do.
std::string plain_text(std::string_view text, const std::string& source, size_t limit = kMostTomlBytes);
/// The same from a file. Throws InputError also if the file cannot be read.
std::string read_text(const std::filesystem::path& path, size_t limit = kMostTomlBytes);

/// Whether it is UTF-16 or UTF-32: by its mark, or by a NUL in every other byte.
bool is_wide_text(std::string_view text);

/// The remedy for 0,5 where a number is needed.
inline constexpr const char* kPointForComma = "Write 0.5, not 0,5";
bool has_decimal_comma(std::string_view text);

/// "file:7: " of the line in which `at` stands.
std::string place_in(std::string_view text, size_t at, const std::string& source);

}  // namespace emergence
