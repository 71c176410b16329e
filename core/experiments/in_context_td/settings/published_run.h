#pragma once
// Runs of the published code of Wang et al. 2025 as a source of weights: folders with data.npz, P and Q at every logged
// step, and params.json, the settings.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/settings/toml.h"

namespace emergence {

/// The folder of the run that `path` names: `path` itself if it has both files, or the folder of one of them. Empty
/// without them.
std::filesystem::path published_run_folder(const std::filesystem::path& path);

/// Settings of experiment "td" that start from the last logged weights of the run which `path` names, and train nothing
/// more. Throws InputError if `path` names none, or if its settings cannot be read.
SettingsFile published_settings(const std::filesystem::path& path);

/// The settings in the text of a params.json; `source` stands in messages. The keys d, s, n and l are required, unknown
/// keys are ignored. Throws InputError with `source` and the key if the text is not a JSON object, is too deeply nested
/// or too long, or holds what no setting can be.
std::vector<SettingsFile::Entry> parse_published_params(std::string_view text, const std::string& source);

}  // namespace emergence
