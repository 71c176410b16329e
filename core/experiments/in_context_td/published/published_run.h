#pragma once
// A run as the published code of Wang et al. 2025 saves it: one folder per seed with params.json and
// data.npz, which holds the weights and scores of every logged MRP.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/experiments/in_context_td/published/published_params.h"
#include "core/lab/metrics.h"
#include "core/lab/snapshot.h"
#include "core/settings/toml.h"

namespace emergence {

inline constexpr const char* kPublishedData = "data.npz";
inline constexpr const char* kPublishedParams = "params.json";

/// One seed's run. Every list has one entry per logged point; scores that the file lacks are empty.
struct PublishedRun {
    PublishedParams params;
    std::vector<int64_t> steps;            // xs: MRPs trained on, ascending
    std::vector<double> alpha;             // batch TD's step size
    std::vector<float> P, Q;               // logs x stored layers x D x D, D = 2d+1
    std::vector<double> value_difference;  // "v_tf v_td msve"
    std::vector<double> implicit_weight;   // "implicit_weight_sim"
    std::vector<double> sensitivity;       // "sensitivity cos sim"
    bool operator==(const PublishedRun&) const = default;

    /// How many numbers one logged P or Q has.
    size_t matrix_size() const;
};

/// The folders of the runs that `path` names: `path` itself if it has both files, the folder of such a file,
/// or the run folders in `path`, sorted by name. Empty without any.
std::vector<std::filesystem::path> published_run_folders(const std::filesystem::path& path);

/// Reads one folder: its settings, or the whole run. Throws InputError with the file's name if a file is
/// missing, damaged or too large, an array is missing or does not have the shape and type that the settings
/// need, or steps do not ascend. Accepts numbers that are not finite.
PublishedParams read_published_params(const std::filesystem::path& folder);
PublishedRun read_published_run(const std::filesystem::path& folder);
/// Reads the arrays of data.npz from memory; `source` stands in messages.
PublishedRun published_run_of(const PublishedParams& params, const ArrayMap& arrays, const std::string& source);

/// The arrays of data.npz, with names, shapes and types as that code writes them.
ArrayMap published_arrays(const PublishedRun& run);
/// Creates `folder` and writes both files. Throws IoError.
void write_published_run(const std::filesystem::path& folder, const PublishedRun& run);

/// Settings of experiment "td" that replay the runs which `path` names. Throws InputError without any,
/// or if their settings differ in more than the seed.
SettingsFile published_settings(const std::filesystem::path& path);
/// The params.json of settings of experiment "td", for their first seed.
PublishedParams published_params_of(const Settings& settings);
/// Names of the settings that describe how a run was made, are not at their defaults, and have no key in
/// params.json.
std::vector<std::string> without_published_param(const Settings& settings);

// Records a run of experiment "td" in the form in which the published code of Wang et al. 2025 logs it.

/// Collects the logged steps of all seeds.
class PublishedRecorder {
  public:
    /// Throws InputError unless experiment "td" trains a transformer: that form holds nothing else.
    PublishedRecorder(const std::string& experiment, const Settings& settings);

    /// Adds the weights and scores of a logged step. Skips step 0, because that code logs nothing before the
    /// first MRP, and seeds that failed.
    void add(const Snapshot& snapshot, const MetricHistory& history);

    /// One run per seed, without seeds that failed before their first logged step.
    std::vector<PublishedRun> runs() const;

  private:
    void add_seed(size_t index, const Snapshot& snapshot, const MetricHistory& history);

    std::vector<PublishedRun> runs_;
};

}  // namespace emergence
