#pragma once
// Keeps the window's runs, each in a folder under the user's data. While a window writes to a folder it holds a lock,
// which the system releases however the process ends. A file in the folder says that a window writes there, so a file
// without the lock marks an interrupted run.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/files/folders.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/runs/run.h"
#include "core/lab/store/checkpoint.h"
#include "core/lab/study.h"
#include "core/lab/trainer/trainer.h"

namespace emergence {

/// The platform's place for runs: $XDG_DATA_HOME/emergence/runs, or ~/.local/share/emergence/runs. Without a home there
/// is none.
std::optional<std::filesystem::path> default_runs_folder();

/// The folder of sweeps, beside the runs or, if there is no home, below the working directory.
std::filesystem::path default_sweeps_folder();

/// The folder of the run if `path` is that folder or its checkpoint, or nothing if it is no run. Throws IoError if it
/// cannot find out.
std::optional<std::filesystem::path> run_folder_at(const std::filesystem::path& path);
/// The same for one among several runs, each of which counts once. `given` contains the real folders of those before
/// it. Throws InputError if it is no run, or one of them again.
std::filesystem::path run_given_once(const std::filesystem::path& path,
                                     std::map<std::filesystem::path, std::filesystem::path>& given);

/// One run's folder as the window that writes to it has it. One thread at a time may use it.
class RunFolder {
  public:
    /// Makes a new one in `runs`. The first write() names and creates it.
    explicit RunFolder(std::filesystem::path runs) : runs_(std::move(runs)) {}

    /// Takes an existing one, to resume it. Returns null if another window has it, or nothing can be written. `figure`
    /// is the paper's figure for which its run is made, or "".
    static std::shared_ptr<RunFolder> claim(const std::filesystem::path& folder, const std::string& figure = {});

    /// Writes config.toml, metrics.csv, weights.npz, moments and the checkpoint, and returns them. `keep` says that the
    /// user wants the run, so that it is never removed to make room. Throws IoError.
    std::vector<std::filesystem::path> write(const SavedRun& saved, const MetricHistory& history, bool keep);
    /// Records that the run ended in order, so that nobody offers it again.
    void close();

    /// Empty before the first write().
    const std::filesystem::path& path() const { return path_; }

  private:
    void follow();
    void make(const SavedRun& saved);
    bool lock();

    std::filesystem::path runs_, path_;
    std::string figure_;
    std::optional<FolderLock> lock_;
};

/// The folders in `runs` whose runs were interrupted, the latest first.
std::vector<std::filesystem::path> interrupted_runs(const std::filesystem::path& runs);
/// Records that an interrupted run is not to be offered again.
void decline_run(const std::filesystem::path& folder);

/// Marks a run's folder that nobody asked to save, so that it may be removed.
inline constexpr const char* kAutosavedFile = "autosaved";
/// How many unsaved runs to keep. The oldest are removed first.
inline constexpr size_t kMostAutosaved = 50;

/// A run of a folder, ready to be resumed.
struct RunToOpen {
    const ExperimentInfo* experiment = nullptr;
    Settings settings;
    std::shared_ptr<const Checkpoint> checkpoint;
    std::filesystem::path folder;
    std::filesystem::file_time_type saved_at;
    std::string notice;     // why it is not the last checkpoint; "" if it is
    bool finished = false;  // the run has ended, and nothing is left to resume
};

/// Reads it, and makes sure that the states fit the experiment. Throws InputError, with all that is wrong.
RunToOpen run_in(const std::filesystem::path& folder, const FindExperiment& find);

/// The run at the step of its checkpoint.
struct RestoredRun {
    explicit RestoredRun(const RunToOpen& opened, int threads = 1);

    ThreadPool pool;
    Run run;
    MetricHistory history;
};

/// The same, finished, under the folder's name. For `notice` see RunToOpen. Throws what run_in() throws.
FinishedRun finished_run_in(const std::filesystem::path& folder, const FindExperiment& find, std::string& notice);

// A small file in the run's folder says what the user calls the run and whether it has a star. The folder keeps its
// name.

inline constexpr const char* kRunMarkFile = "mark.toml";

struct RunMark {
    /// With "" the run has the folder's name.
    std::string name;
    bool starred = false;
    bool operator==(const RunMark&) const = default;
};

/// The mark in a run's folder; an empty one if it has none or the file cannot be read.
RunMark run_mark_in(const std::filesystem::path& folder);
/// Writes the mark. An empty mark removes the file. A marked run is never removed to make room. Throws IoError.
void write_run_mark(const std::filesystem::path& folder, const RunMark& mark);

}  // namespace emergence
