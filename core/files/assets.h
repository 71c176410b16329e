#pragma once
// Finds presets, lessons and weights, for both programs.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace emergence {

/// The folder of assets: `override_folder` if given, else the first of these that holds a folder `presets`:
///
///     <folder of the executable>/../share/emergence    (installed)
///     <folder of the executable>/../../assets          (a build inside the source tree)
///     <working directory>/assets
///
/// Throws InputError if `override_folder` holds no folder `presets`, and IoError, naming the places, if none of the
/// others does.
std::filesystem::path find_assets(const std::filesystem::path& executable,
                                  const std::filesystem::path& working_directory,
                                  const std::optional<std::string>& override_folder);

/// The same for this process: its executable, symbolic links resolved, its working directory, and the environment
/// variable EMERGENCE_ASSETS as the override.
std::filesystem::path assets_folder();

/// The names of the presets in `assets`, sorted: the stems of presets/*.toml. Throws IoError if the folder cannot be
/// listed.
std::vector<std::string> preset_names(const std::filesystem::path& assets);

/// The file of a preset. Throws InputError, listing names, if the preset does not exist.
std::filesystem::path preset_path(const std::filesystem::path& assets, const std::string& name);

}  // namespace emergence
