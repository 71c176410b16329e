#pragma once
// An own Markov reward process, read from TOML or CSV.
//
//     title = "A corridor"                   # all but transition, reward and features are optional
//     gamma = 0.9                            # 0 up to, not including, 1; else the run's
//     states = ["left", "middle", "right"]   # else 1, 2, ...
//     initial = [1, 0, 0]                    # p_0; else every state alike
//     transition = [[0, 1, 0], [0.5, 0, 0.5], [1, 0, 0]]   # p(s, s'), one row per state, each sums to 1
//     reward = [0, 0, 1]                     # r(s), of the state being left
//     features = [[1, 0], [0, 1], [1, 1]]    # phi(s), one row per state
//
// A CSV file has one line per state under the header `reward,initial,p1,p2,..,phi1,phi2,..`, `initial` is
// optional, and gamma is the run's.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/settings/toml.h"
#include "core/tasks/task.h"

namespace emergence {

struct WorldFile {
    /// The file's name if it has no title.
    std::string title;
    /// One name per state.
    std::vector<std::string> states;
    std::optional<double> gamma;
    /// The rows sum to 1 up to rounding.
    Mrp mrp;
};

/// Reads a world by its file's path or by its name in assets/worlds ("corridor"). Throws InputError with
/// file, field, value and allowed values if the file does not exist or is neither TOML nor CSV, a part is
/// missing or unknown, sizes do not agree, a number is not finite, a probability is negative, a row does not
/// sum to 1 (within 1e-6), gamma is out of range, or the chain has no unique stationary distribution.
WorldFile read_world(const std::string& name);
/// The same from memory; `source` stands in the messages.
WorldFile parse_world_toml(std::string_view text, const std::string& source);
WorldFile parse_world_csv(std::string_view text, const std::string& source);

/// Whether the file at `path` is such a world: a CSV, or a TOML with a `transition` and no `experiment`.
/// Never throws.
bool is_world_file(const std::filesystem::path& path);
/// Settings of experiment "td" that show this world, with as many features as it has. Throws InputError if
/// read_world() does.
SettingsFile world_settings(const std::filesystem::path& path);

// A folder of own Markov reward processes to train on: the files in it are the pool, those in its folder held-out are
// for evaluation only. The format is that above.

struct InContextTdConfig;

/// The folder of held-out worlds inside a folder of worlds.
inline constexpr const char* kHeldOutWorlds = "held-out";

using Worlds = std::shared_ptr<const std::vector<Mrp>>;

/// The pool, or the held-out worlds, of the folder that the settings name, in the order of their files' names. Throws
/// InputError that names the file if it cannot be read, does not have config.tasks.d features, or has another gamma
/// than the settings; or that names the folder if it holds no world.
Worlds read_worlds(const InContextTdConfig& config, bool held_out);

/// Whether the folder holds worlds and a folder of held-out ones. Never throws.
bool is_world_folder(const std::filesystem::path& path);
/// Settings of experiment "td" that train on this folder, with as many features as its first world has. Throws
/// InputError if that cannot be read.
SettingsFile world_folder_settings(const std::filesystem::path& path);

}  // namespace emergence
