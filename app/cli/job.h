#pragma once
// Trains without a window, from settings to files.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "core/base/error.h"
#include "core/files/folders.h"
#include "core/lab/figures/figures.h"
#include "core/lab/runs/run.h"
#include "core/lab/store/checkpoint.h"

namespace emergence::cli {

struct Job {
    const ExperimentInfo& experiment;
    Settings settings;             // checked
    std::filesystem::path folder;  // made where it is missing
    std::vector<const FigureInfo*> figures;
    std::optional<int64_t> stop_at;       // a step before the last one of the settings
    bool needs_figures = false;           // a figure that cannot be drawn is an error, not just a note
    bool check_claims = false;            // measures the figures' claims, prints and writes them
    const Checkpoint* from = nullptr;     // where to go on; null to begin at the start
    double autosave = 60.0;               // seconds between checkpoints; with 0 only the last is saved
    int moments = kDefaultMoments;        // the largest number that is saved
    std::vector<std::string> stage = {};  // the plots of the preset, each a picture of its own
};

/// Writes a command's session into the provenance of its folder, at the start, and again with its times at the end.
struct NotedSession {
    /// With `appends`, adds to the sessions that are there.
    NotedSession(const std::filesystem::path& folder, bool appends, const Environment& environment);
    void write() const { provenance.write(session); }
    void end(const Stopwatch& watch);

    ProvenanceSession session;
    Provenance provenance;
};
/// Returns the page on which the last command in this folder drew, or the default if that is unknown.
PageFormat page_in(const std::filesystem::path& folder);

/// Trains all seeds until they are done or the environment says stop, shows progress and keeps checkpoints. Then it
/// writes the run's folder (assets/handbook/lab/files.md lists it) and the figures with their data in every format,
/// each file whole or not at all. If the folder holds this very run, it resumes the run. Returns an exit code. Throws
/// InputError, and IoError for what could not be written (the other files are still written).
int run_job(const Job& job, const Environment& environment);

/// A run with all that it has logged.
struct Recorded {
    Run run;
    MetricHistory history;
    MomentLog moments;
    int64_t target;
    double seconds = 0.0;  // of training, including the time before an interruption
    bool stopped = false;
    std::string emerged_words;  // "" without a rule

    Recorded(std::shared_ptr<Study> study, ThreadPool& pool, std::optional<int64_t> stop_at, int most_moments);

    bool finished() const { return run.finished() || run.step() >= target; }
    int64_t from_step = 0;  // where this session began
};

/// Trains from the job's checkpoint if it has one, until it is finished or the environment says stop. Keeps checkpoint,
/// moments and metrics.csv in the job's folder, whose lock is `lock`. Throws InputError and IoError.
void train(Recorded& recorded, const Job& job, const FolderLock& lock, const Environment& environment);

/// Writes moments and a checkpoint into the job's folder, and tells the environment how far the run is saved. Throws
/// IoError.
void write_state(const Recorded& recorded, const Job& job, const Environment& environment);

}  // namespace emergence::cli
