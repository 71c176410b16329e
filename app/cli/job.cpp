#include "app/cli/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <ostream>
#include <system_error>

#include "app/cli/claim_lines.h"
#include "app/cli/progress.h"
#include "app/export/export.h"
#include "app/export/run_files.h"
#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/folder_lock.h"
#include "core/files/npz.h"
#include "core/lab/figure_results.h"
#include "core/lab/figures.h"
#include "core/lab/run.h"
#include "core/lab/thread_pool.h"
#include "core/lab/weights_file.h"
#include "core/pictures/axis.h"
#include "core/settings/toml.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// A chunk should be long enough that waiting for the slowest seed is nothing, and short enough for Ctrl-C.
constexpr double kShortChunk = 0.2;  // seconds
constexpr double kLongChunk = 0.8;

// A run with all that it has logged.
struct Recorded {
    Run run;
    MetricHistory history;
    int64_t target;
    double seconds = 0.0;  // of training, before it was interrupted too
    bool stopped = false;
    bool may_emerge = true;

    Recorded(std::shared_ptr<Study> study, ThreadPool& pool, std::optional<int64_t> stop_at)
        : run(std::move(study), pool),
          history(run.study().metrics(), run.num_seeds()),
          target(std::min(stop_at.value_or(run.study().target_step()), run.study().target_step())) {}

    bool finished() const { return run.finished() || run.step() >= target; }

    void go_on_from(const Checkpoint& checkpoint) {
        restore(checkpoint, run, history);
        seconds = checkpoint.seconds;
    }
    void advance_to(int64_t step) {
        for (const MetricRow& row : run.advance_to(step)) history.append(row);
    }
    ProgressState progress(const std::string& name) const {
        ProgressState state;
        state.name = name;
        state.step_unit = run.study().step_unit();
        state.step = run.step();
        state.target = target;
        state.seconds = seconds;
        state.seeds = run.num_seeds();
        state.may_emerge = may_emerge;
        state.failed = run.num_failed();
        for (int i = 0; i < run.num_seeds(); ++i) state.emerged += run.seed_status(i).emerged ? 1 : 0;
        return state;
    }
};

double seconds_since(Clock::time_point from) {
    return std::chrono::duration<double>(Clock::now() - from).count();
}

// Keeps a run's checkpoints while it trains.
class Keeper {
  public:
    Keeper(const Job& job, const Environment& environment) : job_(job), environment_(environment) {}

    // Throws IoError.
    void write(const Recorded& recorded) const {
        const std::string figure = job_.needs_figures ? job_.figures.front()->name : "";
        const SavedState state = state_of(job_.experiment.name, recorded.run, recorded.seconds);
        write_checkpoint(job_.folder, {state, recorded.history, figure});
    }
    // So that a run can be resumed from its beginning on. What an earlier run left here is no older state of
    // it.
    void begin(const Recorded& recorded) {
        write(recorded);
        std::error_code ignored;
        if (job_.from == nullptr) fs::remove(job_.folder / kOlderCheckpointFile, ignored);
        last_ = Clock::now();
    }
    // Writes where it is due. A full disk may have room again later: training goes on.
    void turn(const Recorded& recorded) {
        if (job_.autosave <= 0.0 || seconds_since(last_) < job_.autosave) return;
        last_ = Clock::now();
        try {
            write(recorded);
        } catch (const IoError& error) {
            environment_.err << fmt::format("\nemergence-cli: no checkpoint: {}; training goes on\n",
                                            error.what());
        }
    }

  private:
    const Job& job_;
    const Environment& environment_;
    Clock::time_point last_;
};

// What was asked for and is not there, a line each.
void print_notices(const Snapshot& snapshot, const Environment& environment) {
    for (const std::string& notice : snapshot.notices) environment.err << "emergence-cli: " << notice << '\n';
}

void train(Recorded& recorded, const Job& job, const Environment& environment) {
    const std::string& name = job.experiment.name;
    Progress progress(environment.err, environment.err_is_terminal);
    Run& run = recorded.run;
    const int64_t shortest = std::max<int64_t>(1, run.study().log_interval());
    int64_t chunk = shortest;
    if (job.from != nullptr)
        recorded.go_on_from(*job.from);
    else
        recorded.advance_to(0);  // the rows of step 0
    Keeper keeper(job, environment);
    keeper.begin(recorded);
    const Snapshot first = run.snapshot();
    print_notices(first, environment);
    const double before = recorded.seconds;
    const auto start = Clock::now();
    recorded.may_emerge = !first.emergence_rule.empty();
    while (!recorded.finished()) {
        if (environment.stop && *environment.stop) {
            recorded.stopped = true;
            break;
        }
        const auto chunk_start = Clock::now();
        recorded.advance_to(std::min(run.step() + chunk, recorded.target));
        const double taken = seconds_since(chunk_start);
        if (taken < kShortChunk) chunk *= 2;
        if (taken > kLongChunk) chunk = std::max(shortest, chunk / 2);
        recorded.seconds = before + seconds_since(start);
        progress.show(recorded.progress(name), false);
        keeper.turn(recorded);
    }
    recorded.seconds = before + seconds_since(start);
    progress.show(recorded.progress(name), true);
}

Snapshot final_snapshot(const Recorded& recorded, int threads) {
    Snapshot snapshot = recorded.run.snapshot();
    snapshot.run_number = 1;
    const bool all_failed = recorded.run.num_failed() == recorded.run.num_seeds();
    const bool early = recorded.stopped || recorded.run.step() < recorded.run.study().target_step();
    snapshot.status.state = all_failed ? RunState::failed : early ? RunState::paused : RunState::finished;
    snapshot.status.target_step = recorded.run.study().target_step();
    snapshot.status.elapsed_seconds = recorded.seconds;
    if (recorded.seconds > 0.0)
        snapshot.status.steps_per_second = static_cast<double>(recorded.run.step()) / recorded.seconds;
    snapshot.status.threads = threads;
    return snapshot;
}

// Writes files into one folder: a failure does not keep the others from being written, and is thrown at the
// end.
class Writer {
  public:
    Writer(const fs::path& folder, const Environment& environment)
        : folder_(folder), environment_(environment) {}

    template <class Write>
    void write(const std::string& name, Write&& write_to) {
        try {
            write_to(folder_ / name);
            environment_.out << (folder_ / name).string() << std::endl;
        } catch (const IoError&) {
            if (!failure_) failure_ = std::current_exception();
        }
    }
    void finish() const {
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    fs::path folder_;
    const Environment& environment_;
    std::exception_ptr failure_;
};

void write_figures(const Job& job, const Snapshot& snapshot, const MetricHistory& history, Writer& writer,
                   const Environment& environment) {
    for (const FigureInfo* figure : job.figures) try {
            const FigureChoice choice{FigureChoice::Kind::figure,
                                      static_cast<size_t>(figure - job.experiment.figures.data()),
                                      figure->name, figure->title};
            const FigureSpec spec = build_figure(choice, job.experiment, snapshot, history, {});
            for (const FileFormat format : kFileFormats)
                writer.write(fmt::format("{}.{}", figure->name, file_extension(format)),
                             [&](const fs::path& file) { export_figure(spec, file, format); });
        } catch (const InputError& error) {
            if (job.needs_figures) throw;
            environment.err << fmt::format("emergence-cli: figure {} is left out: {}\n", figure->name,
                                           error.what());
        }
}

// Whether a run leaves this picture: what it learned from, drawn; the plots that it was asked for, with all
// matrices on a page; and where no paper has a figure of one such run, all curves on a page too.
bool is_left_by_run(const FigureChoice& choice, const ExperimentInfo& experiment, const ShownPanels& shown) {
    using Kind = FigureChoice::Kind;
    if (choice.kind == Kind::scene) return true;
    const auto leads = [](const PlotSpec& plot) { return plot.leads; };
    if (choice.kind == Kind::plot && leads(shown.plots[choice.index])) return true;
    if (choice.kind == Kind::matrices && std::any_of(shown.plots.begin(), shown.plots.end(), leads))
        return true;
    if (std::any_of(experiment.figures.begin(), experiment.figures.end(),
                    [](const FigureInfo& figure) { return static_cast<bool>(figure.draw); }))
        return false;
    return choice.kind == Kind::curves || choice.kind == Kind::matrices ||
           (choice.kind == Kind::plot && shown.plots.size() == 1) ||
           (choice.kind == Kind::matrix && shown.heatmaps.size() == 1);
}

// As the window exports them, scenes at a moment in the middle.
void write_panels(const Job& job, const Study& study, const Snapshot& snapshot, const MetricHistory& history,
                  Writer& writer) {
    ShownPanels shown = panels_of(study, snapshot, history);
    for (const Scene& scene : snapshot.scenes)
        shown.scenes.push_back(moment_of(scene, typical_moment(scene)));
    for (const FigureChoice& choice :
         figure_choices(job.experiment, shown.plots, shown.heatmaps, shown.scenes)) {
        if (!is_left_by_run(choice, job.experiment, shown)) continue;
        const FigureSpec spec = build_figure(choice, job.experiment, snapshot, history, shown);
        for (const FileFormat format : kFileFormats)
            writer.write(fmt::format("{}.{}", choice.name, file_extension(format)),
                         [&](const fs::path& file) { export_figure(spec, file, format); });
    }
}

// The numbers that the run ended with, on one line.
void print_scalars(const Snapshot& snapshot, const Environment& environment) {
    std::string line;
    for (const Scalar& scalar : snapshot.scalars)
        line += fmt::format("{}{} {}{}{}", line.empty() ? "" : ", ", scalar.label, readout(scalar.value),
                            scalar.unit.empty() ? "" : " ", scalar.unit);
    if (!line.empty()) environment.err << snapshot.experiment << ": " << line << '\n';
}

// What the run measured of the figures' claims. Returns how many fail.
int write_claims(const Job& job, const Snapshot& snapshot, const MetricHistory& history,
                 const Stopwatch& watch, Writer& writer, const Environment& environment) {
    int failed = 0;
    for (const FigureInfo* figure : job.figures) {
        const auto measured = figure->draw(snapshot, history).measured;
        if (measured.empty()) continue;
        const ClaimResults results = claim_results(figure->name, job.settings, watch, job.threads, measured);
        writer.write("claims.toml", [&](const fs::path& file) {
            write_file(file, std::string_view(claim_results_to_toml(results)));
        });
        failed += print_figure_claims(job.experiment, figure->name, measured, environment.out);
    }
    return failed;
}

// Says what went wrong with which seeds, on one line.
int report_run(const Recorded& recorded, const Environment& environment) {
    const std::string unit = recorded.run.study().step_unit();
    if (recorded.stopped)
        environment.err << fmt::format(
            "emergence-cli: stopped at {} of {} {}; what there is has been written\n", recorded.run.step(),
            recorded.target, unit);
    std::string failed;
    for (int i = 0; i < recorded.run.num_seeds(); ++i) {
        const SeedStatus seed = recorded.run.seed_status(i);
        if (seed.failed)
            failed += fmt::format("{}seed {}: {}", failed.empty() ? "" : "; ", seed.seed, seed.reason);
    }
    if (!failed.empty()) {
        environment.err << fmt::format(
            "emergence-cli: {} of {} seeds diverged ({}); the files hold what there is\n",
            recorded.run.num_failed(), recorded.run.num_seeds(), failed);
        return kDiverged;
    }
    return recorded.stopped ? kFailure : kDone;
}

}  // namespace

void prepare_folder(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) throw IoError(fmt::format("{}: cannot be made: {}", folder.string(), failed.message()));
    const AtomicFile probe(folder / "config.toml");
}

int run_job(const Job& job, const Environment& environment) {
    const Stopwatch watch;
    ThreadPool pool(job.threads);
    Recorded recorded(job.experiment.make(job.settings), pool, job.stop_at);
    prepare_folder(job.folder);
    const auto lock = FolderLock::take(job.folder, FolderLock::kLastBreath);
    if (!lock)
        throw IoError(
            fmt::format("{}: another program, a window perhaps, is writing this run; nothing was changed",
                        job.folder.string()));
    train(recorded, job, environment);

    const Snapshot snapshot = final_snapshot(recorded, job.threads);
    const std::string config = settings_to_toml(job.experiment.name, job.settings);
    Writer writer(job.folder, environment);
    writer.write("config.toml", [&](const fs::path& file) { write_file(file, std::string_view(config)); });
    writer.write("metrics.csv", [&](const fs::path& file) {
        write_file(file, std::string_view(metrics_csv(snapshot, recorded.history)));
    });
    writer.write("weights.npz", [&](const fs::path& file) { write_npz(file, weights_file(snapshot)); });
    writer.write(kCheckpointFile, [&](const fs::path&) { Keeper(job, environment).write(recorded); });
    write_figures(job, snapshot, recorded.history, writer, environment);
    if (!job.needs_figures) write_panels(job, recorded.run.study(), snapshot, recorded.history, writer);
    print_scalars(snapshot, environment);
    int failed_claims = 0;
    if (job.check_claims && !recorded.stopped)
        failed_claims = write_claims(job, snapshot, recorded.history, watch, writer, environment);
    const int code = report_run(recorded, environment);
    writer.finish();
    return code == kDone && failed_claims > 0 ? kFailure : code;
}

}  // namespace emergence::cli
