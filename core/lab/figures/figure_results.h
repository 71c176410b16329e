#pragma once
// What is written of a finished figure: how it was made, what it measured, and the time that this took. Only finished
// runs are asked for it, never a request, so that no file can name settings or seeds that were not used.

#include <chrono>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "core/lab/figures/claim_results.h"
#include "core/lab/jobs/job_grid.h"
#include "core/lab/study.h"

namespace emergence {

/// A figure with what its drawing measured.
struct MadeFigure {
    FigureSpec figure = {};
    std::vector<MeasuredClaim> measured = {};
    /// The jobs that are missing in the figure.
    std::vector<JobFailure> failures = {};
    /// If true, the rest is empty.
    bool stopped = false;
    /// Runs whose metrics and weights can be saved; empty if nothing was trained.
    std::vector<FinishedRun> runs = {};
    /// What was computed, if nothing was trained.
    std::vector<GridConfig> computed = {};
    /// The notices of its runs, see Snapshot.
    std::vector<std::string> notices = {};
};

/// Measures the time since its construction.
class Stopwatch {
  public:
    Stopwatch();
    double seconds() const;
    /// Of all threads of the process, and what was added.
    double cpu_seconds() const;
    /// Of jobs that other processes or earlier starts have computed.
    void add_cpu_seconds(double seconds) { added_ += seconds; }

  private:
    std::chrono::steady_clock::time_point start_;
    std::clock_t cpu_start_;
    double added_ = 0.0;
};

/// The figure's settings: `settings` of its preset with FigureInfo::start.
Settings started(const FigureInfo& figure, Settings settings);

/// The same from the presets in `assets`, or from the defaults if it has no preset. Throws InputError if there is no such preset.
Settings figure_settings(const ExperimentInfo& info, const FigureInfo& figure, const std::filesystem::path& assets);

/// "num_layers = 3, seed = 0, seeds = 30": the seeds and the settings that differ from the defaults.
std::string named_settings(const Settings& settings);

/// The runs that a figure was made of, or what was computed for it; empty if its runs are not kept.
std::vector<GridConfig> runs_of(const MadeFigure& made);

/// The settings that a figure's runs share. A setting that every run chooses itself has the first run's value.
Settings settings_of(const std::vector<GridConfig>& runs);

/// Refuses a setting that was changed from the figure's `start` and that none of its runs would use. Throws InputError.
void refuse_unused(const ExperimentInfo& info, const FigureInfo& figure, const Settings& start,
                   const Settings& settings);

/// What each run changes of settings_of(): "L = 2: num_layers = 2". Leaves out runs that change nothing.
std::vector<std::string> panel_settings(const std::vector<GridConfig>& runs);

/// A figure's config.toml, also embedded in its pictures.
std::string figure_config(const std::string& experiment, const std::string& figure,
                          const std::vector<GridConfig>& runs);

/// The same for a caption: the settings other than the defaults, what runs change of them, and the seeds.
std::string made_text(const MadeFigure& made);

/// The measured claims for a file. Its times are rounded to tenths of a second.
ClaimResults claim_results(const std::string& figure, const std::vector<GridConfig>& runs, const Stopwatch& watch,
                           int threads, const std::vector<MeasuredClaim>& measured);

}  // namespace emergence
