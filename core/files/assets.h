#pragma once
// Where presets, lessons and weights are found, for both programs.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace emergence {

/// The folder of assets: `override_folder` where it is given; else, seen from the executable's folder,
/// ../share/emergence (installed) or ../../assets (a build inside the source tree); else, seen from the
/// working directory, assets. Throws InputError where the override holds no folder `presets`, IoError, naming
/// the places, where none of the others does.
std::filesystem::path find_assets(const std::filesystem::path& executable,
                                  const std::filesystem::path& working_directory,
                                  const std::optional<std::string>& override_folder);

/// The same for this process: its own executable and working directory, and the environment's
/// EMERGENCE_ASSETS. A symbolic link to the program is followed first.
std::filesystem::path assets_folder();

/// The names of the presets in `assets`, sorted: the stems of presets/*.toml.
std::vector<std::string> preset_names(const std::filesystem::path& assets);

/// The file of a preset. Throws InputError, listing the names, where there is none of that name.
std::filesystem::path preset_path(const std::filesystem::path& assets, const std::string& name);

}  // namespace emergence
