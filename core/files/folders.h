#pragma once
// Folders: what lies in them, making them, and the user's own.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace emergence {

/// Whether the file is a helper that a system or an editor left beside the user's: hidden (._a.toml, .DS_Store, a swap
/// file), a backup (a.toml~, #a.toml#), Thumbs.db, desktop.ini.
bool is_helper_file(const std::filesystem::path& path);
/// The only listings in the program. What lies in the folder, sorted: everything, or without helper files. None if there
/// is no such folder. Throws IoError if it cannot be listed to its end: half a list is never taken for the whole.
std::vector<std::filesystem::path> all_entries_in(const std::filesystem::path& folder);
std::vector<std::filesystem::path> entries_in(const std::filesystem::path& folder);
/// The regular files among entries_in(). Throws IoError also for a link that leads nowhere.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder);

/// What `path` is, links followed; not_found if there is nothing. Throws IoError if that cannot be told.
std::filesystem::file_type kind_of_file(const std::filesystem::path& path);

/// `stem` + `ending`, or, if that is there, with the first number from 2 on between them that is free: "a-2.png".
std::filesystem::path free_path(const std::filesystem::path& stem, const std::string& ending = "");

/// Makes the folder and those above it, if they are missing. Throws IoError.
void make_folder(const std::filesystem::path& folder);

/// Whether `file` is `folder` or lies in it, once all links are followed. Neither need exist.
bool lies_in(const std::filesystem::path& file, const std::filesystem::path& folder);

/// $HOME, if it is an absolute path.
std::optional<std::filesystem::path> home_folder();
/// A word of a command line: in "--out=~/x", and in a quoted "~/x", no shell puts the home folder in the place of "~".
std::string with_home_folder(const std::string& word);
/// The path as people type it: without blanks around it, "~" is the home folder.
std::filesystem::path typed_path(const std::string& text);

}  // namespace emergence
