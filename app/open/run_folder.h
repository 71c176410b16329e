#pragma once
// The runs that the window keeps: a folder each, under the user's data. While a window writes to one it holds
// it under a lock, which goes with the process however that ends, and a file there says so: a file without
// the lock is what an interrupted run leaves.

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

/// The platform's place for them: $XDG_DATA_HOME/emergence/runs, or ~/.local/share/emergence/runs. Nothing
/// where there is no home.
std::optional<std::filesystem::path> default_runs_folder();

/// The folder of sweeps: beside the runs, or below the working directory if there is no home.
std::filesystem::path default_sweeps_folder();

/// The folder of the run that `path` is or is the checkpoint of; nothing where it is no run. Throws IoError if that
/// cannot be told.
std::optional<std::filesystem::path> run_folder_at(const std::filesystem::path& path);
/// The same of one among several runs: a run counts once. `given`: those before it, by their real folders. Throws
/// InputError if it is no run, or one of them again.
std::filesystem::path run_given_once(const std::filesystem::path& path,
                                     std::map<std::filesystem::path, std::filesystem::path>& given);

/// One run's folder, as the window that writes to it has it. Used by one thread at a time.
class RunFolder {
  public:
    /// A new one in `runs`, named and made with the first write().
    explicit RunFolder(std::filesystem::path runs) : runs_(std::move(runs)) {}

    /// One that is there, to be resumed; null where another window has it, or nothing can be written.
    /// `figure`: the paper's figure that its run is made for, "" for none.
    static std::shared_ptr<RunFolder> claim(const std::filesystem::path& folder, const std::string& figure = {});

    /// Writes config.toml, metrics.csv, weights.npz, moments and the checkpoint, and returns them. `keep`: it is one
    /// that the user wants, and is never removed again to make room. Throws IoError.
    std::vector<std::filesystem::path> write(const SavedRun& saved, const MetricHistory& history, bool keep);
    /// It has come to its end in order: nobody need offer it again.
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

/// The folders in `runs` whose runs were interrupted, the last one first.
std::vector<std::filesystem::path> interrupted_runs(const std::filesystem::path& runs);
/// An interrupted run is not to be offered again.
void decline_run(const std::filesystem::path& folder);

/// A run's folder with this file was saved by nobody's wish: it may be removed.
inline constexpr const char* kAutosavedFile = "autosaved";
/// How many unsaved runs to keep; the oldest go first.
inline constexpr size_t kMostAutosaved = 50;

/// A run of a folder, ready to be resumed.
struct RunToOpen {
    const ExperimentInfo* experiment = nullptr;
    Settings settings;
    std::shared_ptr<const Checkpoint> checkpoint;
    std::filesystem::path folder;
    std::filesystem::file_time_type saved_at;
    std::string notice;     // why it is not the last checkpoint; "" if it is
    bool finished = false;  // it has come to its end: nothing is left to resume
};

/// Reads it, and makes sure that the states fit the experiment. Throws InputError, with all that is wrong.
RunToOpen run_in(const std::filesystem::path& folder, const FindExperiment& find);

/// The run as its checkpoint has it.
struct RestoredRun {
    explicit RestoredRun(const RunToOpen& opened, int threads = 1);

    ThreadPool pool;
    Run run;
    MetricHistory history;
};

/// The same, finished, under the folder's name. `notice`: see RunToOpen. Throws what run_in() throws.
FinishedRun finished_run_in(const std::filesystem::path& folder, const FindExperiment& find, std::string& notice);

// What the user calls a saved run, and whether it has a star: a small file in the run's folder, whose own name stays.

inline constexpr const char* kRunMarkFile = "mark.toml";

struct RunMark {
    /// "": the folder's name.
    std::string name;
    bool starred = false;
    bool operator==(const RunMark&) const = default;
};

/// The mark in a run's folder; an empty one if it has none or the file cannot be read.
RunMark run_mark_in(const std::filesystem::path& folder);
/// Writes the mark; an empty one removes the file. A marked run never makes room for others. Throws IoError.
void write_run_mark(const std::filesystem::path& folder, const RunMark& mark);

}  // namespace emergence
