#pragma once
// Folders: making them, and the user's own.

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace emergence {

/// Whether the file is a helper that a system or an editor left beside the user's: hidden (._a.toml, .DS_Store, a swap
/// file), a backup (a.toml~, #a.toml#), Thumbs.db, desktop.ini.
bool is_helper_file(const std::filesystem::path& path);
/// What lies in the folder, without helper files, sorted. None if the folder cannot be listed; `failed` says why.
std::vector<std::filesystem::path> entries_in(const std::filesystem::path& folder, std::error_code& failed);
std::vector<std::filesystem::path> entries_in(const std::filesystem::path& folder);

/// `stem` + `ending`, or, if that is there, with the first number from 2 on between them that is free: "a-2.png".
std::filesystem::path free_path(const std::filesystem::path& stem, const std::string& ending = "");

/// Makes the folder and those above it, if they are missing. Throws IoError.
void make_folder(const std::filesystem::path& folder);

/// Whether `file` is `folder` or lies in it, once all links are followed. Neither need exist.
bool lies_in(const std::filesystem::path& file, const std::filesystem::path& folder);

/// $HOME, if it is an absolute path.
std::optional<std::filesystem::path> home_folder();
/// The path as people type it: without blanks around it, "~" is the home folder.
std::filesystem::path typed_path(const std::string& text);

}  // namespace emergence
