#pragma once
// Commands that a person copies from a message into a shell.

#include <string>
#include <string_view>
#include <vector>

namespace emergence {

/// `word` as a POSIX shell reads it back: in quotes if it would take it apart, without bytes that would not be printed.
std::string shell_word(std::string_view word);

/// A file or folder that no program takes for an option.
std::string path_argument(std::string_view path);
/// The same as a shell reads it back.
inline std::string shell_path(std::string_view path) { return shell_word(path_argument(path)); }

/// "emergence-cli" with these words.
std::string shell_command(const std::vector<std::string>& arguments);

}  // namespace emergence
