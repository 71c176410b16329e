#include "app/cli/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ostream>
#include <set>
#include <system_error>

#include "app/export/run_files.h"
#include "core/base/error.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/lab/trainer/trainer.h"
#include "core/lab/views/run_views.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// This is long enough that waiting for the slowest seed costs little, and short enough that Ctrl-C responds.
constexpr double kChunk = 0.4;  // seconds
// After a step that takes longer the run is saved. If the next step is stopped, only that one is lost.
constexpr double kLongStep = 3.0;  // seconds

double seconds_since(Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); }

ProgressState progress_of(const Recorded& recorded, const std::string& name) {
    const Run& run = recorded.run;
    ProgressState state;
    state.name = name;
    state.step_unit = run.study().step_unit();
    state.step = run.step();
    state.target = recorded.target;
    state.seconds = recorded.seconds;
    state.seeds = run.num_seeds();
    state.emerged_words = recorded.emerged_words;
    state.failed = run.num_failed();
    for (int i = 0; i < run.num_seeds(); ++i) {
        const SeedStatus seed = run.seed_status(i);
        state.emerged += is_counted(seed) ? 1 : 0;
    }
    return state;
}

// Keeps the files of a run while it trains.
class Keeper {
  public:
    Keeper(const Job& job, const FolderLock& lock, const Environment& environment, Snapshot first)
        : job_(job), lock_(lock), environment_(environment), moment_(std::move(first)) {}

    // The run can then be resumed from its beginning. Files that an earlier run left here are not older states of it.
    void begin(const Recorded& recorded) {
        write_state(recorded, job_, environment_);
        std::error_code ignored;
        if (job_.from == nullptr) fs::remove(job_.folder / kOlderCheckpointFile, ignored);
        saved_ = Clock::now();
        keep("metrics.csv", [&] { write_metrics(recorded); });
    }
    // Writes what is due after a chunk of so many seconds.
    void turn(const Recorded& recorded, double chunk) {
        if (!lock_.holds(job_.folder)) leave(recorded);
        if (chunk >= kLongStep || (job_.autosave > 0.0 && seconds_since(saved_) >= job_.autosave)) {
            saved_ = Clock::now();
            keep("checkpoint", [&] { write_state(recorded, job_, environment_); });
        }
        if (seconds_since(logged_) >= pause_) keep("metrics.csv", [&] { write_metrics(recorded); });
    }

  private:
    // The folder is no longer ours. If it was renamed, save the run under the new name.
    [[noreturn]] void leave(const Recorded& recorded) const {
        const std::string folder = job_.folder.string();
        environment_.has_saved("", job_.folder);
        const std::optional<fs::path> now = lock_.place();
        if (!now) throw IoError("{}: was deleted while its run trained; nothing is left", folder);
        Job moved = job_;
        moved.folder = *now;
        write_state(recorded, moved, environment_);
        throw IoError("{}: was renamed to {} while its run trained", folder, now->string());
    }
    // The file is sorted by seed, so it is replaced as a whole, and a reader or a kill finds it complete at any moment.
    // However long it gets, writing takes at most a twentieth of the time.
    void write_metrics(const Recorded& recorded) {
        constexpr double kShortestPause = 1.0;  // seconds
        constexpr double kPausePerSecond = 20.0;
        logged_ = Clock::now();
        moment_.step = recorded.run.step();
        const std::string text = metrics_csv({moment_, recorded.history});
        write_file(job_.folder / "metrics.csv", std::string_view(text));
        pause_ = std::max(kShortestPause, kPausePerSecond * seconds_since(logged_));
    }
    // A full disk may have room later, so keep training. Report it once until a write succeeds.
    template <class Write>
    void keep(const char* what, Write&& write) {
        try {
            write();
            failing_.erase(what);
        } catch (const IoError& error) {
            if (failing_.insert(what).second)
                environment_.err << fmt::format("{}emergence-cli: no {}: {}. Training continues\n",
                                                environment_.err_is_terminal ? "\n" : "", what, error.what());
        }
    }

    const Job& job_;
    const FolderLock& lock_;
    const Environment& environment_;
    Snapshot moment_;  // has its seeds and its unit; the step is the run's
    Clock::time_point saved_, logged_;
    double pause_ = 0.0;             // seconds between two writings of metrics.csv
    std::set<std::string> failing_;  // what could not be written the last time
};

// Returns the seconds that it took.
double advance_chunk(Recorded& recorded, ChunkSize& chunk) {
    Run& run = recorded.run;
    const int64_t end = std::min(recorded.target, recorded.moments.next_after(run.step()));
    const int64_t steps = std::min(chunk.steps(), end - run.step());
    const auto start = Clock::now();
    for (const MetricRow& row : run.advance_to(run.step() + steps)) recorded.history.append(row);
    recorded.moments.add(run);
    const double seconds = seconds_since(start);
    chunk.measured(steps, seconds);
    return seconds;
}

// Gives `recorded` its first rows, or those of the checkpoint.
void begin(Recorded& recorded, const Job& job) {
    Run& run = recorded.run;
    if (job.from == nullptr) {
        for (const MetricRow& row : run.advance_to(0)) recorded.history.append(row);
        recorded.moments.add(run);
        return;
    }
    restore(*job.from, run, recorded.history);
    recorded.seconds = job.from->seconds;
    recorded.from_step = run.step();
    recorded.moments.resume(moments_in(job.folder), run.step());
}

}  // namespace

Recorded::Recorded(std::shared_ptr<Study> study, ThreadPool& pool, std::optional<int64_t> stop_at, int most_moments)
    : run(std::move(study), pool),
      history(run.study().metrics(), run.num_seeds()),
      moments(most_moments, run.study().log_interval()),
      target(std::min(stop_at.value_or(run.study().target_step()), run.study().target_step())) {}

void write_state(const Recorded& recorded, const Job& job, const Environment& environment) {
    // Moments first: resuming drops moments after the checkpoint, but could not recreate missing ones.
    if (!recorded.moments.moments().empty())
        write_npz(job.folder / kMomentsFile,
                  moments_file(job.experiment.name, job.settings, recorded.moments.moments()));
    const std::string figure = job.needs_figures ? job.figures.front()->name : "";
    const SavedState state = state_of(job.experiment.name, recorded.run, recorded.seconds);
    write_checkpoint(job.folder, state, recorded.history, figure);
    environment.has_saved(fmt::format("Step {} of {} {} is saved", recorded.run.step(), recorded.target,
                                      recorded.run.study().step_unit()),
                          job.folder);
    // For a finished run both checkpoints hold the end, so that its folder does not depend on interruptions.
    if (recorded.finished()) write_checkpoint(job.folder, state, recorded.history, figure);
}

void train(Recorded& recorded, const Job& job, const FolderLock& lock, const Environment& environment) {
    begin(recorded, job);
    const Snapshot first = recorded.run.snapshot();
    recorded.emerged_words = counts_verdicts(first) ? (first.algorithm.empty() ? "" : "compute " + first.algorithm)
                             : first.emergence_rule.empty() ? ""
                                                            : first.emerged_words;
    Keeper keeper(job, lock, environment, first);
    keeper.begin(recorded);
    for (const std::string& notice : first.notices) environment.notice(notice);  // names what is missing
    LineOfProgress progress(environment.err, environment.err_is_terminal, environment.err_columns);
    const double before = recorded.seconds;
    const auto start = Clock::now();
    ChunkSize chunk(kChunk);
    while (!recorded.finished() && !(recorded.stopped = environment.stopped())) {
        const double seconds = advance_chunk(recorded, chunk);
        recorded.seconds = before + seconds_since(start);
        progress.show(progress_of(recorded, job.experiment.name), false);
        keeper.turn(recorded, seconds);
    }
    recorded.seconds = before + seconds_since(start);
    progress.show(progress_of(recorded, job.experiment.name), true);
}

}  // namespace emergence::cli
