#pragma once
// The many figures of `figure all`: each in its folder, with the command for `resume` beside them.

#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/commands.h"

namespace emergence::cli {

/// Where in `folder` the figures are whose runs others may take. None for a program that is at no commit, which cannot
/// tell what it made before its last change.
std::vector<std::filesystem::path> sharing_folders(const std::filesystem::path& folder,
                                                   const std::vector<std::string>& figures);

/// Writes the command's arguments into `folder`, for `resume`. Throws IoError.
void write_command(const std::filesystem::path& folder, const Environment& environment);
/// True if write_command() has written there.
bool holds_command(const std::filesystem::path& folder);
/// The arguments that the folder holds. Throws InputError.
std::vector<std::string> command_in(const std::filesystem::path& folder);

}  // namespace emergence::cli
