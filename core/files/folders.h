#pragma once
// Folders: making them, and the user's own.

#include <filesystem>
#include <optional>
#include <string>

namespace emergence {

/// Makes the folder and those above it, if they are missing. Throws IoError.
void make_folder(const std::filesystem::path& folder);

/// $HOME, if it is an absolute path.
std::optional<std::filesystem::path> home_folder();
/// The path as people type it: without blanks around it, "~" is the home folder.
std::filesystem::path typed_path(const std::string& text);

}  // namespace emergence
