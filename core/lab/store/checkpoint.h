#pragma once
// What a run's folder holds: states of the run, copies of the files that its settings name, and how it was made. The
// states have the same bytes wherever the run was trained, and in however many parts. The time that this took is in a
// file of its own.

#include <filesystem>
#include <span>

#include "core/base/array.h"
#include "core/files/text.h"
#include "core/lab/snapshot.h"
#include "core/settings/toml.h"

namespace emergence {

class Run;

// Moments of a run: the states of all seeds at evenly spaced steps, saved beside the run so that it can be looked
// through after it has been reopened.

inline constexpr const char* kMomentsFile = "moments.npz";
inline constexpr int kDefaultMoments = 64;

struct SavedMoment {
    int64_t step = 0;
    std::vector<ArrayMap> seeds;  // Experiment::save() of each seed
    bool operator==(const SavedMoment&) const = default;
};

/// Collects moments at the multiples of a stride. The stride is the log interval, doubled until there are at most
/// `most` moments. The chosen steps depend on the run's step alone: a resumed run has the moments of an uninterrupted
/// one. All states take at most `most_bytes`; larger states leave room for fewer moments.
class MomentLog {
  public:
    MomentLog(int most, int64_t log_interval, size_t most_bytes = size_t{1} << 27);

    /// The first step after `step` at which a moment is due. A run must not advance beyond it in one call.
    int64_t next_after(int64_t step) const;
    /// Adds the present moment of `run` if it is due.
    void add(const Run& run);
    /// Resumes at `step` with the saved moments, and drops later ones.
    void resume(std::vector<SavedMoment> saved, int64_t step);

    /// In the order of their steps.
    const std::vector<SavedMoment>& moments() const { return moments_; }

  private:
    void thin();
    void double_stride();

    size_t most_;
    int64_t stride_;
    size_t most_bytes_;
    std::vector<SavedMoment> moments_;
};

/// The file's arrays, besides the settings, which every NPZ of ours holds:
///
///     steps            int64, one per moment, ascending
///     seeds            their number
///     seed K/NAME      array NAME of seed K: moments x its shape
///     seed K/NAME@I    the same of moment I alone, if the shape changes or the array is not always there
ArrayMap moments_file(const std::string& experiment, const Settings& settings, const std::vector<SavedMoment>& moments);

/// Reads such a file. Throws InputError, naming `source`, if it is no sound archive of moments. Run::load checks that
/// the states fit their experiment.
std::vector<SavedMoment> parse_moments(std::span<const std::byte> bytes, const std::string& source);
/// The moments in a run's folder; empty if it has no such file. Throws InputError.
std::vector<SavedMoment> moments_in(const std::filesystem::path& folder);

// Checkpoints: the state from which a run resumes. One NPZ archive holds the settings, the whole state of every seed
// and all logged rows, with a format number and a checksum.
//
// The folder holds the last two. A new one replaces the older only once it is whole on the disk, so that a kill at any
// moment, a full disk or a damaged file costs at most the last interval.

/// The number of the archive's layout; the reader refuses greater ones.
inline constexpr uint64_t kCheckpointFormat = 2;
inline constexpr const char* kCheckpointFile = "checkpoint.npz";
inline constexpr const char* kOlderCheckpointFile = "checkpoint-before.npz";
/// The seconds of training up to the last checkpoint, as TOML.
inline constexpr const char* kTrainingTimeFile = "training-time.toml";

struct Checkpoint {
    SettingsFile settings;             // every field, with the experiment's name and the step
    std::vector<ArrayMap> seeds;       // Experiment::save() of each seed
    std::vector<MetricRow> rows;       // all logged rows, in the form of MetricHistory::append
    std::vector<std::string> metrics;  // the names of the rows' values; empty in older files
    /// Training time so far, from the file beside it (kTrainingTimeFile); 0 if that was not read.
    double seconds = 0.0;
    std::vector<int64_t> emerged;  // one per seed, 1 if it has emerged; empty in older files
    /// The moments before it, from the file beside it (kMomentsFile); empty if that was not read.
    std::vector<SavedMoment> moments = {};
};

/// The state of a run between two steps, by value: it can be written while the run continues.
struct SavedState {
    std::string experiment;
    Settings settings;
    int64_t step = 0;
    std::vector<ArrayMap> seeds;  // these three as in a Checkpoint
    double seconds = 0.0;
    std::vector<int64_t> emerged = {};
};
/// The present state of `run`. seconds: its training time so far.
SavedState state_of(const std::string& experiment, const Run& run, double seconds);

/// The archive's arrays, besides the settings, which every NPZ of ours holds:
///
///     format         kCheckpointFormat
///     checksum       of the other arrays
///     seeds          their number
///     steps          the logged steps
///     metrics        the names of the metrics, one per line
///     rows/M         values of metric M: logged steps x seeds
///     emerged        one per seed
///     seed K/NAME    the arrays of seed K
///
/// `history` may extend beyond the state; it is cut at the state's step. figure: for which the run is trained; "" if
/// none.
ArrayMap checkpoint_arrays(const SavedState& state, const MetricHistory& history, const std::string& figure = "");

/// Sets "checksum" to the checksum of the other arrays, as checkpoint_arrays() does.
void seal_checkpoint(ArrayMap& arrays);

/// Writes the run's checkpoint, and its training time, into `folder`, which exists. Throws IoError; the last sound
/// checkpoint then remains, under one of the two names.
void write_checkpoint(const std::filesystem::path& folder, const SavedState& state, const MetricHistory& history,
                      const std::string& figure = "");

/// Reads a checkpoint. Throws InputError, naming `source`, if it is no archive, cut short, altered, incomplete or of a
/// newer format. Run::load checks that the states fit their experiment.
Checkpoint parse_checkpoint(std::span<const std::byte> bytes, const std::string& source);

struct FoundCheckpoint {
    Checkpoint checkpoint;
    std::filesystem::path file;
    std::string notice;  // why this is not the last checkpoint; "" if it is
};
/// The newest sound checkpoint of a folder. Throws InputError, with the errors of the damaged ones, if the folder holds
/// no sound checkpoint, and IoError if one cannot be read: it may be sound.
FoundCheckpoint find_checkpoint(const std::filesystem::path& folder);

/// Renames a damaged checkpoint or file of moments, "damaged-moments.npz", because the resumed run would replace it.
/// Returns a sentence about each. Throws IoError.
std::vector<std::string> set_damaged_aside(const std::filesystem::path& folder);

/// Resumes a run that was made from the checkpoint's settings. Throws InputError if the states or the rows do not fit,
/// and then leaves the run unchanged.
void restore(const Checkpoint& checkpoint, Run& run);
/// The rows with the metrics of this table. Metrics that an earlier version did not log are NaN.
std::vector<MetricRow> rows_of(const Checkpoint& checkpoint, const MetricTable& table);
/// Appends the rows to the history, too.
void restore(const Checkpoint& checkpoint, Run& run, MetricHistory& history);

/// The moments before the checkpoint, outlined (see Study::outline). Leaves `run` at the last of them. Throws
/// InputError if the states do not fit.
std::vector<Snapshot> outlines_before(const Checkpoint& checkpoint, Run& run);

/// The contents of weights.npz: the snapshot's weights with its settings and step, so that the file tells its origin
/// and opens as a run. For each matrix with a sign symmetry, "sign_NAME" holds one sign per seed: pictures and metrics
/// multiply the matrix by it.
ArrayMap weights_file(const Snapshot& snapshot);

/// True if the file holds weights from another program: an NPZ archive or a safetensors file with P and Q, but without
/// settings. Does not check the arrays' shapes.
bool holds_bare_weights(const std::filesystem::path& path);

// The files that a run's settings name (weights, worlds), copied into the run's folder: a run that is
// resumed or trained again finds them even if the originals have changed or are gone.

inline constexpr const char* kSweepFile = "sweep.toml";

/// The folder of the copies, inside a run's folder, and the list of them in it.
inline constexpr const char* kInputsFolder = "inputs";
inline constexpr const char* kInputsFile = "inputs.toml";

struct RunInput {
    /// The setting, and its value: the path of a file or folder, in the run's list as without_place().
    std::string field;
    std::string path;
    std::filesystem::path file;  // the file itself: `path`, or a file in that folder
    /// Its copy, relative to kInputsFolder: "weights.npz", "worlds/a.toml".
    std::string copy;
    uint64_t bytes = 0;
    uint32_t crc = 0;  // ZIP's checksum: it detects change, not forgery
};

/// The files that settings with an effect name, as FieldInfo::reads says, except files in `folder`, the run's own. The
/// settings have been checked before. Throws InputError for a file that cannot be read or has more than 256 MiB.
std::vector<RunInput> inputs_of(const Settings& settings, const std::filesystem::path& folder);

/// The setting that names a file or folder inside `folder`; "" if none does.
std::string setting_inside(const Settings& settings, const std::filesystem::path& folder);

/// The list as TOML; the same inputs give the same text.
std::string inputs_to_toml(const std::vector<RunInput>& inputs);
/// The list in a run's folder; empty if it has none. `file` is the copy's path. Throws InputError.
std::vector<RunInput> read_inputs(const std::filesystem::path& folder);

/// Copies the inputs into `folder`/inputs, with the list. Does nothing without inputs. Throws IoError and InputError.
void copy_inputs(const std::vector<RunInput>& inputs, const std::filesystem::path& folder);

/// Shows settings that lead to files in `folder`, the run's own, relative to it: ".", "./data.npz".
void show_inside(const std::filesystem::path& folder, Settings& settings);

/// Makes settings of the run in `folder` lead to its own files, and to its copies where an original has changed or is
/// gone. Returns a sentence for each copy. Throws InputError if the folder's list is damaged.
std::vector<std::string> use_copied_inputs(const std::filesystem::path& folder, Settings& settings);

/// Throws InputError if `folder`, or a folder in it that Emergence uses, holds a symbolic link out of `folder`, or
/// something that is neither a file nor a folder: a pipe, a device. `folder` itself may be a link. Does nothing if it
/// does not exist.
void refuse_links_out(const std::filesystem::path& folder);

// How the files of a folder were made: commands, versions, machine and times. This is in a file of its own, because all
// other files of a folder have the same bytes wherever and whenever they are made.

inline constexpr const char* kProvenanceFile = "provenance.toml";

/// One call of a program that wrote into the folder. A run that was resumed has several.
struct ProvenanceSession {
    /// As typed, quoted for a shell where necessary; written with the last names of paths that name a place.
    std::string command;
    std::string started;  // the time of its start, "2026-11-22 22:15:03 +0000"
    int threads = 1;
    int64_t from_step = 0;
    /// For a run: the seconds between checkpoints, and the number of saved moments. Resuming uses the same.
    std::optional<double> autosave = {};
    std::optional<int> moments = {};
    /// For a figure of several runs: a hash of their settings, which tells whether those were edited since.
    std::string settings = {};
    /// The page of its pictures: width ("3.4in") and dots per inch, if they were asked for, whether there are captions,
    /// and which plots are pictures of their own. Pictures are drawn again in this way.
    std::string width = {};
    std::optional<int> dots_per_inch = {};
    bool caption = true;
    std::vector<std::string> stage = {};
    /// Absent until the session ends, so a session without them was killed.
    std::optional<int64_t> to_step = {};
    std::optional<double> seconds = {};
    std::optional<double> cpu_seconds = {};
};

/// Writes a folder's provenance: the sessions that it already holds, if `resumed`, and one more.
class Provenance {
  public:
    Provenance(const std::filesystem::path& folder, bool resumed);
    /// Replaces the file, with this program's version and commit, and this machine's processor and instruction set.
    /// Throws IoError.
    void write(const ProvenanceSession& session) const;

  private:
    std::filesystem::path file_;
    std::string before_;
};

/// The known options of a folder's last session: `autosave`, `moments`, the page and `stage`.
ProvenanceSession last_session_in(const std::filesystem::path& folder);

/// True if the text may be the beginning of such a file; an empty text may.
bool is_provenance(std::string_view text);

/// The processor's name, "AMD EPYC 7B13"; "unknown" if the system does not tell.
std::string processor_name();

}  // namespace emergence
