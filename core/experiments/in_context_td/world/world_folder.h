#pragma once
// A folder of own Markov reward processes to train on: the files in it are the pool, those in its folder held-out are
// for evaluation only. The format is that of own_world_file.h.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/settings/toml.h"
#include "core/tasks/task.h"

namespace emergence {

struct InContextTdConfig;

/// Inside a folder of worlds: those that are held out.
inline constexpr const char* kHeldOutWorlds = "held-out";

using Worlds = std::shared_ptr<const std::vector<Mrp>>;

/// The pool, or the held-out worlds, of the folder that the settings name, in the order of their files' names. Throws
/// InputError, naming the file, if one cannot be read, has not config.tasks.d features or another gamma than the
/// settings; naming the folder, if there is none.
Worlds read_worlds(const InContextTdConfig& config, bool held_out);
/// Throws InputError as read_worlds() does.
void check_worlds(const InContextTdConfig& config);

/// Whether the folder holds worlds and a folder of held-out ones. Never throws.
bool is_world_folder(const std::filesystem::path& path);
/// Settings of experiment "td" that train on this folder, with as many features as its first world has. Throws
/// InputError if that cannot be read.
SettingsFile world_folder_settings(const std::filesystem::path& path);

}  // namespace emergence
