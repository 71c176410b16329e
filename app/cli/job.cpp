#include "app/cli/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <ostream>
#include <system_error>

#include "app/cli/answer.h"
#include "app/cli/out_folder.h"
#include "app/cli/run_request.h"
#include "app/export/export.h"
#include "app/export/run_files.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"
#include "core/lab/figures/figures.h"
#include "core/lab/jobs/thread_pool.h"
#include "core/lab/store/checkpoint.h"
#include "core/lab/views/run_views.h"
#include "core/pictures/axis.h"
#include "core/settings/toml.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

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

// Writes files into one folder. After a failure it still writes the others, and throws the failure at the end.
class Writer {
  public:
    Writer(const fs::path& folder, const Environment& environment) : folder_(folder), environment_(environment) {}

    template <class Write>
    void write(const std::string& name, Write&& write_to) {
        try {
            write_to(folder_ / name);
            environment_.wrote(folder_ / name);
        } catch (const IoError&) {
            if (!failure_) failure_ = std::current_exception();
        }
    }
    void draw(const std::string& name, const FigureSpec& spec) {
        DrawnFigure figure(spec, environment_.asked.page);
        for (const FileFormat format : kFileFormats)
            write(fmt::format("{}.{}", name, file_extension(format)),
                  [&](const fs::path& file) { figure.write(file, format); });
        if (const std::string notice = figure.notice(); !notice.empty()) environment_.err << notice << '\n';
    }
    void finish() const {
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    fs::path folder_;
    const Environment& environment_;
    std::exception_ptr failure_;
};

// A run with other settings than the figure's draws a picture under another name. Settings that only say how much to
// train, measure or keep do not count.
std::string name_of_picture(const FigureInfo& figure, const Job& job, const Snapshot& snapshot,
                            const Environment& environment) {
    if (job.needs_figures) return figure.name;
    Settings shown;
    try {
        shown = figure_settings(job.experiment, figure, environment.assets());
    } catch (const std::runtime_error&) {  // without the figure's preset
        return figure.name;
    }
    for (const FieldInfo& field : shown.fields()) {
        const FieldValue& value = shown.value(field.name);
        const bool how_much = field.group == "run" || field.group == "evaluation" || field.group == "files" ||
                              field.name == "log_interval" ||
                              job.settings.value(field.name) == FieldValue(snapshot.status.target_step);
        if (!how_much && value != job.settings.value(field.name))
            return fmt::format("{}-as-{}", job.experiment.name, figure.name);
    }
    return figure.name;
}

void write_figures(const Job& job, const Snapshot& snapshot, const MetricHistory& history, Writer& writer,
                   const Environment& environment) {
    for (const FigureInfo* figure : job.figures) try {
            const FigureChoice choice{FigureChoice::Kind::figure,
                                      static_cast<size_t>(figure - job.experiment.figures.data()), figure->name,
                                      figure->title};
            writer.draw(name_of_picture(*figure, job, snapshot, environment),
                        build_figure(choice, job.experiment, snapshot, history, {}));
        } catch (const InputError& error) {
            if (job.needs_figures) throw;
            environment.err << fmt::format("emergence-cli: skipped figure {}: {}\n", figure->name, error.what());
        }
}

// Whether a run writes this picture. It writes a drawing of its tasks, the main plots of its preset, the requested
// plots, a page with all matrices and, if no paper has a figure of such a run, a page with all curves.
bool is_left_by_run(const FigureChoice& choice, const Job& job, const ShownPanels& shown) {
    using Kind = FigureChoice::Kind;
    // A drawing without numbers and plots explains, but shows nothing of the run.
    if (choice.kind == Kind::scene)
        return !shown.scenes[choice.index].drawing.numbers.empty() || !shown.scenes[choice.index].plots.empty();
    if (choice.kind == Kind::plot && contains(job.stage, shown.plots[choice.index].id)) return true;
    const auto leads = [](const PlotSpec& plot) { return plot.leads; };
    const auto is_asked_for = [&job](const PlotSpec& plot) {
        return job.settings.has(plot.id) && job.settings.value(plot.id) == FieldValue(true);
    };
    if (choice.kind == Kind::plot && is_asked_for(shown.plots[choice.index])) return true;
    if (choice.kind == Kind::plot && leads(shown.plots[choice.index])) return true;
    if (choice.kind == Kind::matrices && any_of(shown.plots, leads)) return true;
    if (any_of(job.experiment.figures, [](const FigureInfo& figure) { return static_cast<bool>(figure.draw); }))
        return false;
    return choice.kind == Kind::curves || choice.kind == Kind::matrices ||
           (choice.kind == Kind::plot && shown.plots.size() == 1) ||
           (choice.kind == Kind::matrix && shown.heatmaps.size() == 1);
}

// Draws them as the window exports them.
void write_panels(const Job& job, const Study& study, const Snapshot& snapshot, const MetricHistory& history,
                  Writer& writer) {
    const ShownPanels shown = panels_of(study, snapshot, history);
    for (const FigureChoice& choice : figure_choices(job.experiment, shown)) {
        if (!is_left_by_run(choice, job, shown)) continue;
        writer.draw(choice.name, build_figure(choice, job.experiment, snapshot, history, shown));
    }
}

// Prints the numbers with which the run ended, on one line.
void print_scalars(const Snapshot& snapshot, const Environment& environment) {
    const std::string line = listed(snapshot.scalars, [](const Scalar& scalar) {
        return fmt::format("{} {}{}{}", scalar.label, std::isfinite(scalar.value) ? readout(scalar.value) : "–",
                           scalar.unit.empty() ? "" : " ", scalar.unit);
    });
    if (!line.empty()) environment.err << snapshot.experiment << ": " << line << '\n';
}

// Measures the figures' claims on the run. Returns how many fail.
int write_claims(const Job& job, const Snapshot& snapshot, const MetricHistory& history, const Stopwatch& watch,
                 int threads, Writer& writer, const Environment& environment) {
    const std::vector<Claim> claims = environment.claims();
    int failed = 0;
    for (const FigureInfo* figure : job.figures) {
        MadeFigure made = figure->draw(snapshot, history);
        if (made.runs.empty()) made.runs.push_back({"", snapshot, history});
        const auto measured = measured_claims(claims, figure->name, made);
        if (measured.empty()) continue;
        const ClaimResults results = claim_results(figure->name, {{"", snapshot.settings}}, watch, threads, measured);
        writer.write("claims.toml",
                     [&](const fs::path& file) { write_file(file, std::string_view(claim_results_to_toml(results))); });
        failed += print_figure_claims(claims, figure->name, measured, environment.out);
    }
    return failed;
}

// Says what went wrong with which seeds, on one line.
int report_run(const Recorded& recorded, const Environment& environment) {
    std::string failed;
    for (int i = 0; i < recorded.run.num_seeds(); ++i) {
        const SeedStatus seed = recorded.run.seed_status(i);
        if (seed.failed) failed += fmt::format("{}seed {}: {}", failed.empty() ? "" : "; ", seed.seed, seed.reason);
    }
    if (!failed.empty()) {
        environment.err << fmt::format("emergence-cli: {} of {} networks diverged ({}); the files hold the rest\n",
                                       recorded.run.num_failed(), recorded.run.num_seeds(), failed);
        return kDiverged;
    }
    return recorded.stopped ? kFailure : kDone;
}

// Replacing the folder would delete or change a file that the run starts from.
void refuse_to_replace_inputs(const Job& job) {
    if (is_vacant(job.folder)) return;
    if (const std::string setting = setting_inside(job.settings, job.folder); !setting.empty())
        throw InputError(
            fmt::format("{}: setting {} names a file in this folder, which --force would delete. Choose another --out",
                        job.folder.string(), setting));
}

// Returns the folder's checkpoint of this very run, or nullopt. Throws InputError if the run there is already beyond
// the target.
std::optional<FoundCheckpoint> held_in(const Job& job, int64_t target, const Environment& environment) {
    if (!is_there(job.folder / kCheckpointFile) && !is_there(job.folder / kOlderCheckpointFile)) return std::nullopt;
    FoundCheckpoint found = find_checkpoint(job.folder);
    const int64_t step = found.checkpoint.settings.step.value_or(0);
    if (step > target)
        throw InputError(
            fmt::format("{}: holds this run up to step {}, past step {}. Choose another --out, or replace it with "
                        "--force",
                        job.folder.string(), step, target));
    environment.notice(found.notice);
    environment.err << fmt::format("emergence-cli: {} holds this run; resumed at step {} (--force restarts it)\n",
                                   job.folder.string(), step);
    return found;
}

// Writes the numbers of the run as tables, and what their columns mean.
void write_tables(const Snapshot& snapshot, const MetricHistory& history, Writer& writer) {
    const auto write = [&writer](const char* name, const std::string& text) {
        writer.write(name, [&text](const fs::path& file) { write_file(file, std::string_view(text)); });
    };
    write("metrics.csv", metrics_csv({snapshot, history}));
    write("seeds.csv", seeds_csv({snapshot, history}));
    write("columns.toml", columns_toml({snapshot, history}));
}

// Prints the run's result on one line, for programs.
void print_result(const Job& job, const Snapshot& snapshot, const MetricHistory& history, int code,
                  const Environment& environment) {
    Json json = {{"folder", job.folder.string()},
                 {"experiment", job.experiment.name},
                 {"step", snapshot.step},
                 {"target_step", snapshot.status.target_step},
                 {"step_unit", snapshot.step_unit},
                 {"seconds", json_number(snapshot.status.elapsed_seconds)},
                 {"exit_code", code}};
    json["seeds"] = Json::array();
    for (size_t k = 0; k < snapshot.seeds.size(); ++k) {
        const SeedStatus& seed = snapshot.seeds[k];
        Json one = {{"seed", seed.seed}, {"step", seed.step}, {"failed", seed.failed}};
        if (seed.failed) one["reason"] = seed.reason;
        if (!snapshot.emergence_rule.empty()) {
            one["emerged"] = seed.emerged;
            one["emerged_at"] = seed.emerged_at < 0 ? Json(nullptr) : Json(seed.emerged_at);
        }
        if (seed.judged) {
            one["verdict"] = seed.judged->verdict;
            one["computes"] = seed.judged->sentence;
            one["computes_since"] = counted_since(seed) < 0 ? Json(nullptr) : Json(counted_since(seed));
        }
        for (const MetricInfo& metric : history.table())
            one["metrics"][metric.name] = json_number(last_value(snapshot, history, metric.name, static_cast<int>(k)));
        json["seeds"].push_back(one);
    }
    for (const Scalar& scalar : snapshot.scalars) json["scalars"][scalar.name] = json_number(scalar.value);
    print_json(json, environment.out);
}

// Ends a dry run here if it resumes, because it claims no folder.
void say_what_would_be(const Job& job, const Recorded& recorded, int threads, const Environment& environment) {
    const Snapshot outline = recorded.run.outline();
    environment.would(fmt::format("train {} of {} to step {} of {} on {}{}", counted(recorded.run.num_seeds(), "seed"),
                                  job.experiment.name, recorded.target, outline.step_unit, counted(threads, "thread"),
                                  job.needs_figures ? " and draw figure " + job.figures.front()->name : ""));
    if (job.from == nullptr || !environment.asked.dry_run) return;
    environment.would(fmt::format("resume {} from step {}", job.folder.string(), job.from->settings.step.value_or(0)));
    throw DryRunEnds();
}

}  // namespace

NotedSession::NotedSession(const fs::path& folder, bool appends, const Environment& environment)
    : session{environment.command, local_time("%Y-%m-%d %H:%M:%S %z"), environment.threads()},
      provenance(folder, appends) {
    const PageFormat& page = environment.asked.page;
    if (!page.as_figure_asks()) session.width = page.slide ? "slide" : fmt::format("{}in", page.width_inches);
    if (page.dots_per_inch != PageFormat{}.dots_per_inch) session.dots_per_inch = page.dots_per_inch;
    session.caption = page.caption;
}

void NotedSession::end(const Stopwatch& watch) {
    session.seconds = watch.seconds();
    session.cpu_seconds = watch.cpu_seconds();
    write();
}

PageFormat page_in(const fs::path& folder) {
    const ProvenanceSession session = last_session_in(folder);
    PageFormat page;
    try {
        if (!session.width.empty()) set_page_width(session.width, page);
    } catch (const InputError&) {
        // Someone has edited the file, so the figure keeps its own width.
    }
    if (const auto& dots = session.dots_per_inch; dots && *dots >= kFewestDots && *dots <= kMostDots)
        page.dots_per_inch = *dots;
    page.caption = session.caption;
    return page;
}

int run_job(const Job& asked, const Environment& environment) {
    const Stopwatch watch;
    Job job = asked;
    show_inside(job.folder, job.settings);
    ThreadPool pool(environment.threads());
    environment.report_threads(pool.threads());
    Recorded recorded(job.experiment.make(job.settings), pool, job.stop_at, job.moments);
    const std::vector<RunInput> inputs = inputs_of(job.settings, job.folder);
    const Snapshot first = recorded.run.outline();
    const std::string config = run_config(first);
    const bool resumes = job.from != nullptr;
    check_rows_fit(recorded.run.study(), recorded.run.num_seeds(), recorded.target);
    say_what_would_be(job, recorded, pool.threads(), environment);
    const auto is_this_run = [&] { return holds_run(job.folder, config, inputs_to_toml(inputs)); };
    if (!resumes) {
        if (environment.asked.force) refuse_to_replace_inputs(job);
        claim_folder(job.folder, is_this_run(), environment);
    }
    prepare_folder(job.folder);
    const auto lock = enter_folder(job.folder, [&] { return resumes || is_this_run(); });
    for (const std::string& sentence : set_damaged_aside(job.folder)) environment.notice(sentence);
    const auto held = resumes ? std::nullopt : held_in(job, recorded.target, environment);
    if (held) job.from = &held->checkpoint;
    const int64_t begins = job.from == nullptr ? 0 : job.from->settings.step.value_or(0);
    if (GridPart* part = environment.grid_part; part != nullptr && part->labels.empty() && begins < recorded.target) {
        part->missing = {"the run"};  // a run is one job
        return kFailure;
    }
    NotedSession noted(job.folder, job.from != nullptr, environment);
    noted.session.threads = pool.threads();
    noted.session.from_step = begins;
    noted.session.autosave = job.autosave;
    noted.session.moments = job.moments;
    noted.session.stage = job.stage;
    noted.write();
    write_file(job.folder / "config.toml", std::string_view(config));
    if (!resumes) copy_inputs(inputs, job.folder);
    const ArrayMap initial = weights_file(first);
    train(recorded, job, lock, environment);

    Writer writer(job.folder, environment);
    // Write first what matters most if someone kills the program: the weights, which are small, then the checkpoint.
    writer.write("weights.npz", [&](const fs::path& file) { write_npz(file, weights_file(recorded.run.outline())); });
    writer.write(kCheckpointFile, [&](const fs::path&) { write_state(recorded, job, environment); });
    const Snapshot snapshot = final_snapshot(recorded, pool.threads());
    writer.write("config.toml", [&](const fs::path& file) { write_file(file, std::string_view(config)); });
    write_tables(snapshot, recorded.history, writer);
    if (!snapshot.weights.empty())
        writer.write("initial-weights.npz", [&](const fs::path& file) { write_npz(file, initial); });
    write_figures(job, snapshot, recorded.history, writer, environment);
    if (!job.needs_figures) write_panels(job, recorded.run.study(), snapshot, recorded.history, writer);
    print_scalars(snapshot, environment);
    int failed_claims = 0;
    if (job.check_claims && !recorded.stopped)
        failed_claims = write_claims(job, snapshot, recorded.history, watch, pool.threads(), writer, environment);
    noted.session.from_step = recorded.from_step;
    noted.session.to_step = recorded.run.step();
    writer.write(kProvenanceFile, [&](const fs::path&) { noted.end(watch); });
    int code = report_run(recorded, environment);
    writer.finish();
    if (code == kDone && failed_claims > 0) code = kFailure;
    if (environment.asked.json) print_result(job, snapshot, recorded.history, code, environment);
    return code;
}

}  // namespace emergence::cli
