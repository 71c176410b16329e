#pragma once
// A run as it lies in its folder, to go on from: settings, every seed's whole state and all that was logged,
// in one NPZ archive with a format number and a checksum.
//
// Two are kept, the last and the one before it: each replaces the older one only once it is whole on the
// disk, so that a kill at any moment, a full disk or a damaged file cost no more than the last interval.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/array.h"
#include "core/lab/metrics.h"
#include "core/settings/toml.h"

namespace emergence {

class Run;

/// Of the archive's layout; greater ones are refused.
inline constexpr uint64_t kCheckpointFormat = 1;
/// The file in a run's folder, and the one before it.
inline constexpr const char* kCheckpointFile = "checkpoint.npz";
inline constexpr const char* kOlderCheckpointFile = "checkpoint-before.npz";

struct Checkpoint {
    SettingsFile settings;             // every field, with the experiment's name and the step
    std::vector<ArrayMap> seeds;       // Experiment::save() of each
    std::vector<MetricRow> rows;       // all that was logged, as MetricHistory::append takes it
    std::vector<std::string> metrics;  // names of the rows' values; empty in older files
    double seconds = 0.0;              // of training so far
    std::vector<int64_t> emerged;      // one a seed: 1 where it has emerged; empty in older files
};

/// A run between two steps, by value: it can be written while the run goes on.
struct SavedState {
    std::string experiment;
    Settings settings;
    int64_t step = 0;
    std::vector<ArrayMap> seeds;        // Experiment::save() of each
    double seconds = 0.0;               // of training so far
    std::vector<int64_t> emerged = {};  // one a seed: 1 where it has
};
SavedState state_of(const std::string& experiment, const Run& run, double seconds);

/// What is written of a run.
struct RunInFolder {
    const SavedState& state;
    const MetricHistory& history;  // may be ahead of the state: it is cut at its step
    std::string figure = {};       // the paper's figure that it is made for; "" for none
};

/// The archive's arrays: "format", "checksum", "seconds", "seeds", "steps", "metrics" (their names, a line
/// each), "rows/M" (of metric M, logged steps x seeds), "emerged" (seeds), "seed K/NAME", and the settings as
/// every NPZ of ours carries them.
ArrayMap checkpoint_arrays(const RunInFolder& run);

/// Sets "checksum" to that of the other arrays: checkpoint_arrays() has done it.
void seal_checkpoint(ArrayMap& arrays);

/// Puts the run's state into `folder`, which exists. Throws IoError; both older files are then as they were.
void write_checkpoint(const std::filesystem::path& folder, const RunInFolder& run);

/// Throws InputError, naming `source`, for what is no archive, cut short, altered, without what belongs in
/// it, or of a newer format. Whether the states fit their experiment, Run::load says.
Checkpoint parse_checkpoint(std::span<const std::byte> bytes, const std::string& source);

/// The newest sound checkpoint of a folder.
struct FoundCheckpoint {
    Checkpoint checkpoint;
    std::filesystem::path file;
    std::string notice;  // why it is not the last one; "" where it is
};
/// Throws InputError where there is none, with what is wrong with those that are.
FoundCheckpoint find_checkpoint(const std::filesystem::path& folder);

/// Brings a run that was made from the checkpoint's settings to where it was. Throws InputError, naming the
/// array, where the states or the rows do not fit; the run is then as it was.
void restore(const Checkpoint& checkpoint, Run& run);
/// The same, with the rows appended to the history.
void restore(const Checkpoint& checkpoint, Run& run, MetricHistory& history);

}  // namespace emergence
