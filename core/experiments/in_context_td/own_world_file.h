#pragma once
// An own Markov reward process, read from TOML or CSV.
//
//     title = "A corridor"                   # all but transition, reward and features are optional
//     gamma = 0.9                            # 0 up to, not including, 1; else the run's
//     states = ["left", "middle", "right"]   # else 1, 2, ...
//     initial = [1, 0, 0]                    # p_0; else every state alike
//     transition = [[0, 1, 0], [0.5, 0, 0.5], [1, 0, 0]]   # p(s, s'), a row a state, each sums to 1
//     reward = [0, 0, 1]                     # r(s), of the state being left
//     features = [[1, 0], [0, 1], [1, 1]]    # phi(s), a row a state
//
// As CSV a line a state under the header `reward,initial,p1,p2,..,phi1,phi2,..`, `initial` optional; gamma is
// the run's.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/settings/toml.h"
#include "core/tasks/mrp.h"

namespace emergence {

/// States and features that a file may have.
inline constexpr int kMostWorldStates = 64, kMostWorldFeatures = 16;

struct WorldFile {
    std::string title;                // the file's name where it has none
    std::vector<std::string> states;  // one name each
    std::optional<double> gamma;
    Mrp mrp;  // rows sum to 1 to the last bit that division leaves
};

/// `name` is a file's path or the name of one in assets/worlds ("corridor"). Throws InputError, naming file,
/// field, what was found and what is allowed: where there is no such file, it is no TOML or CSV, a part is
/// missing or unknown, sizes do not fit together, a number is not finite, a probability is negative, a row
/// does not sum to 1 (within 1e-6), gamma is out of range, or the chain has no unique stationary
/// distribution.
WorldFile read_world(const std::string& name);
/// The same from memory; `source` stands in the messages.
WorldFile parse_world_toml(std::string_view text, const std::string& source);
WorldFile parse_world_csv(std::string_view text, const std::string& source);

/// Whether the file at `path` is meant to be such a world: a CSV, or a TOML with a `transition` and no
/// `experiment`. Throws nothing.
bool is_world_file(const std::filesystem::path& path);
/// What opens it in experiment "td": the world looked inside of, and as many features as it has. Throws as
/// read_world() does.
SettingsFile world_settings(const std::filesystem::path& path);

}  // namespace emergence
