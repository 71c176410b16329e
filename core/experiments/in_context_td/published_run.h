#pragma once
// A run as the published code of Wang et al. 2025 leaves it: data.npz, the weights and scores of every logged
// MRP, with params.json, in a folder of its own. Runs of other seeds are folders beside it.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/experiments/in_context_td/published_params.h"
#include "core/settings/toml.h"

namespace emergence {

inline constexpr const char* kAuthorsData = "data.npz";
inline constexpr const char* kAuthorsParams = "params.json";
/// More than this, packed or unpacked, is no run of that code; it is refused before it is allocated.
inline constexpr size_t kAuthorsRunLimit = size_t{1} << 28;

/// One seed's run. All lists have one entry a logged point, but for scores that the file lacks: those are
/// empty.
struct AuthorsRun {
    AuthorsParams params;
    std::vector<int64_t> steps;            // xs: MRPs trained on, ascending
    std::vector<double> alpha;             // batch TD's step size
    std::vector<float> P, Q;               // logs x stored layers x D x D, D = 2d+1
    std::vector<double> value_difference;  // "v_tf v_td msve"
    std::vector<double> implicit_weight;   // "implicit_weight_sim"
    std::vector<double> sensitivity;       // "sensitivity cos sim"
    bool operator==(const AuthorsRun&) const = default;

    /// Numbers of one logged P or Q.
    size_t matrix_size() const;
};

/// The folders of the runs that `path` names: itself, where it has both files; the folder of such a file; or
/// the folders in it, by name. Empty where there are none.
std::vector<std::filesystem::path> authors_run_folders(const std::filesystem::path& path);

/// Reads one folder's settings, or all of it. Throws InputError, naming the file and what is wrong in it:
/// a file that is missing, damaged, too large; an array that is missing, of another shape or type than the
/// settings ask for; steps that do not ascend. Numbers that are not finite are left as they are.
AuthorsParams read_authors_params(const std::filesystem::path& folder);
AuthorsRun read_authors_run(const std::filesystem::path& folder);
/// data.npz from memory.
AuthorsRun authors_run_of(const AuthorsParams& params, const ArrayMap& arrays, const std::string& source);

/// data.npz's arrays, with names, shapes and types as that code writes them.
ArrayMap authors_arrays(const AuthorsRun& run);
/// Makes `folder` and writes both files. Throws IoError.
void write_authors_run(const std::filesystem::path& folder, const AuthorsRun& run);

/// Settings of experiment "td" with which the runs that `path` names are gone through: their own, which have
/// to be the same for all but the seed. Throws InputError where there are none.
SettingsFile authors_settings(const std::filesystem::path& path);
/// And back: settings of experiment "td", for the seed that they name first.
AuthorsParams authors_params(const Settings& settings);
/// Fields that say how a run was made, are not at their defaults, and have no place in params.json.
std::vector<std::string> without_authors_param(const Settings& settings);

}  // namespace emergence
