#include "app/cli/grid_figure.h"

#include <fmt/format.h>
#include <algorithm>
#include <ostream>
#include <sstream>
#include <system_error>

#include "app/cli/answer.h"
#include "app/cli/job.h"
#include "app/cli/out_folder.h"
#include "app/cli/progress.h"
#include "app/cli/run_request.h"
#include "app/export/export.h"
#include "app/export/run_files.h"
#include "app/open/own_figure.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/experiments/registry.h"
#include "core/files/array_files.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/figures/figures.h"
#include "core/lab/jobs/job_grid.h"
#include "core/lab/store/checkpoint.h"
#include "core/settings/toml.h"
#include "core/settings/toml_reader.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text, const Environment& environment) {
    write_file(file, std::string_view(text));
    environment.wrote(file);
}

void write_files(const GridFigureJob& job, const MadeFigure& made, const ClaimResults& results,
                 const Environment& environment) {
    environment.wrote(job.folder / "config.toml");
    // A shipped figure writes this file even without claims, because it holds the times.
    if (job.check_claims && (!results.claims.empty() || environment.own_figure.empty()))
        write(job.folder / "claims.toml", claim_results_to_toml(results), environment);
    if (!made.runs.empty()) {
        write(job.folder / "metrics.csv", metrics_csv(made.runs), environment);
        write(job.folder / "seeds.csv", seeds_csv(made.runs), environment);
        write(job.folder / "columns.toml", columns_toml(made.runs), environment);
        write_npz(job.folder / "weights.npz", weights_of(made.runs));
        environment.wrote(job.folder / "weights.npz");
    }
    if (made.figure.cells.empty()) return;
    DrawnFigure figure(made.figure, environment.asked.page);
    for (const fs::path& file : figure.write_all(job.folder, job.figure.name, kFileFormats)) environment.wrote(file);
    if (const std::string notice = figure.notice(); !notice.empty()) environment.err << notice << '\n';
}

// Prints the figure's result on one line, for programs.
void print_figure_result(const GridFigureJob& job, const MadeFigure& made, const Stopwatch& watch, int code,
                         const Environment& environment) {
    Json json = {{"folder", job.folder.string()},
                 {"experiment", job.experiment.name},
                 {"figure", job.figure.name},
                 {"seconds", json_number(watch.seconds())},
                 {"exit_code", code}};
    json["runs"] = Json::array();
    for (const FinishedRun& run : made.runs) {
        Json one = {{"run", run.label}, {"step", run.snapshot.step}, {"seeds", Json::array()}};
        for (const SeedStatus& seed : run.snapshot.seeds) one["seeds"].push_back(seed.seed);
        json["runs"].push_back(one);
    }
    json["failures"] = Json::array();
    for (const JobFailure& failure : made.failures)
        json["failures"].push_back({{"run", failure.label}, {"reason", failure.reason}});
    json["claims"] = Json::array();
    if (job.check_claims)
        for (const Claim& claim : environment.claims())
            for (const MeasuredClaim& one : made.measured)
                if (one.name == claim.name) json["claims"].push_back(claim_as_json(claim, one.measurement));
    print_json(json, environment.out);
}

int report_figure(const GridFigureJob& job, const MadeFigure& made, const Environment& environment) {
    for (const JobFailure& failure : made.failures)
        environment.err << fmt::format("emergence-cli: {}: {}: {}\n", job.figure.name, failure.label, failure.reason);
    for (const std::string& notice : made.notices)
        environment.err << fmt::format("emergence-cli: {}: {}\n", job.figure.name, notice);
    int failed = 0;
    const std::vector<Claim> claims = environment.claims();
    const bool has_claims = any_of(claims, [&](const Claim& claim) { return claim.figure == job.figure.name; });
    if (job.check_claims)
        failed = print_figure_claims(claims, job.figure.name, made.measured, environment.out);
    else if (has_claims)
        environment.out << (environment.own_figure.empty()
                                ? "The settings differ from the preset, so its claims are not checked.\n"
                                : fmt::format("The settings differ from the file, so its claims are not checked. To "
                                              "measure them: emergence-cli verify --check {} {}\n",
                                              environment.own_figure.string(), job.folder.string()));
    if (!made.failures.empty() || made.figure.cells.empty()) return kDiverged;
    return failed > 0 ? kFailure : kDone;
}

// The runs that make up the figure.
std::vector<GridConfig> planned_runs(const GridFigureJob& job) {
    if (job.figure.plan) return job.figure.plan(job.experiment, job.settings);
    return {{"", job.settings}};
}

// Jobs that began from another file, or in another version, do not match.
JobFolder jobs_in(const fs::path& folder, const std::string& config) {
    return {folder, version_with_commit() + config + inputs_to_toml(read_inputs(folder))};
}

// A hash of everything that training depends on. Paths do not count, because their files are among the inputs.
std::string made_of(const std::string& config, const std::vector<GridConfig>& planned, const Environment& environment) {
    std::ostringstream text;
    text << config;
    for (const GridConfig& run : planned) {
        text << '\n' << run.label;
        for (const std::string& name : run.own)
            if (!run.settings.info(name).reads) text << '\n' << name << " = " << to_text(run.settings.value(name));
    }
    if (!environment.own_figure.empty()) {
        const toml::table figure = read_toml(environment.own_figure);
        if (const toml::table* shared = figure["settings"].as_table()) text << '\n' << toml::toml_formatter(*shared);
    }
    return name_of_text(text.str());
}

void refuse_edited_figure(const fs::path& folder, const std::string& now) {
    const std::string then = last_session_in(folder).settings;
    if (then.empty() || then == now) return;
    const bool own = !own_figure_in(folder).empty();
    throw InputError("{}: {} edited since the runs were trained. Undo the edit, or draw another figure with --out",
                     folder.string(), own ? "config.toml or figure.toml was" : "config.toml was");
}

}  // namespace

void check_page(const FigureInfo& figure, const Environment& environment) {
    const PageFormat& page = environment.asked.page;
    if (figure.width_inches <= 0.0) return;
    const double width = page.slide ? 13.3 : page.as_figure_asks() ? figure.width_inches : page.width_inches;
    const double height = page.slide ? 7.5 : figure.height_inches * width / figure.width_inches;
    check_pixels(width, height, page,
                 environment.own_figure.empty()
                     ? "figure " + figure.name
                     : fmt::format("{}: page (size, or cell)", environment.own_figure.string()));
}

std::optional<GridFigureJob> grid_figure_in(const fs::path& folder, const Environment& environment) {
    const fs::path file = folder / "config.toml";
    if (!is_there(file) || is_there(folder / kCheckpointFile) || is_there(folder / kOlderCheckpointFile))
        return std::nullopt;
    const SettingsFile asked = read_settings(file);
    Target target{&named(environment.experiments, asked.experiment, "experiment")};
    if (asked.figure.empty() || !target.find_figure(asked.figure) || !target.needs_own_runs()) return std::nullopt;
    Settings settings(target.experiment->fields);
    apply_file(asked, *target.experiment, environment, settings);
    if (target.experiment->check) target.experiment->check(settings);
    GridFigureJob job{*target.experiment, *target.figure, settings, folder};
    job.check_claims = speaks_of(settings, target, environment);
    job.config = std::string(as_text(read_file(file, size_t{1} << 20)));
    return job;
}

MadeFigure saved_figure(const GridFigureJob& job, const Environment& environment) {
    JobFolder jobs = jobs_in(job.folder, job.config);
    GridOptions options{.threads = environment.threads(), .stop = environment.stop};
    options.folder = &jobs;
    return job.figure.build(job.experiment, job.settings, options);
}

int run_grid_figure(const GridFigureJob& job, const Environment& environment) {
    // A wrong file is reported before anything trains.
    const std::vector<Claim> claims = environment.does_jobs() ? std::vector<Claim>() : environment.claims();
    const bool resumed = !job.config.empty();
    check_page(job.figure, environment);
    if (!resumed && !job.check_claims && job.figure.check && !environment.does_jobs())
        job.figure.check(job.experiment, job.settings);
    const std::vector<GridConfig> planned = planned_runs(job);
    const std::string config = resumed ? job.config : figure_config(job.experiment.name, job.figure.name, planned);
    const std::string settings = made_of(config, planned, environment);
    if (resumed) refuse_edited_figure(job.folder, settings);
    const std::vector<RunInput> inputs = inputs_of(job.settings, job.folder);
    const auto is_same = [&] { return resumed || holds_run(job.folder, config, inputs_to_toml(inputs)); };
    const bool same = is_same();
    environment.would(fmt::format("train {} for figure {} on {}", counted(planned.size(), "run"), job.figure.name,
                                  counted(environment.threads(), "thread")));
    claim_folder(job.folder, same, environment);
    prepare_folder(job.folder);
    const FolderLock lock = enter_folder(job.folder, is_same);
    if (!is_same()) write_file(job.folder / "config.toml", std::string_view(config));
    if (!resumed) copy_inputs(inputs, job.folder);
    if (!environment.own_figure.empty()) keep_own_figure(environment.own_figure, job.folder, job.figure.name);
    NotedSession noted(job.folder, same && !environment.asked.force, environment);
    noted.session.settings = settings;
    noted.write();
    environment.has_saved("Finished runs are saved", job.folder);
    JobFolder jobs = jobs_in(job.folder, config);
    GridProgressLine line(environment);
    Stopwatch watch;
    GridOptions options = grid_options(job.figure.name, line, environment);
    options.folder = &jobs;
    MadeFigure made = job.figure.build(job.experiment, job.settings, options);
    line.finish(watch.seconds());
    if (made.stopped) return kFailure;
    made.measured = measured_claims(claims, job.figure.name, made);
    watch.add_cpu_seconds(jobs.loaded_cpu_seconds());
    if (made.figure.config.empty()) made.figure.config = config;
    write_files(job, made,
                claim_results(job.figure.name, made.runs.empty() ? planned : runs_of(made), watch,
                              environment.threads(), made.measured),
                environment);
    noted.end(watch);
    const int code = report_figure(job, made, environment);
    if (environment.asked.json) print_figure_result(job, made, watch, code, environment);
    return code;
}

namespace {

// The name of the user's figure file in the folder of its figure.
constexpr const char* kFigureFile = "figure.toml";

bool has_claims(const std::string& text) { return text.find("\n[claims.") != std::string::npos; }

}  // namespace

std::vector<Claim> Environment::claims() const {
    if (own_figure.empty()) return claims_in(assets() / "figures", experiments);
    if (!has_claims(read_text(own_figure))) return {};
    ReadClaims read = read_claims({own_figure}, experiments);
    if (!read.faults.empty()) throw InputError(read.faults.front());
    return std::move(read.claims);
}

int with_own_figure(const fs::path& path, const std::vector<std::string>& folders, const Environment& environment,
                    const std::function<int(const Environment&, const std::string& name)>& use) {
    const FindExperiment find = environment.find_experiment();
    std::vector<std::string> notices;
    const OwnFigure figure = own_figure_at(path, folders, find, environment.assets(), notices);
    for (const std::string& notice : notices) environment.notice(notice);
    std::vector<ExperimentInfo> experiments = environment.experiments;
    for (ExperimentInfo& info : experiments)
        if (info.name == figure.experiment->name) info = *figure.experiment;
    Environment own{environment, experiments, environment.out, environment.err};
    own.own_figure = path;
    return use(own, figure.name);
}

fs::path own_figure_in(const fs::path& folder) {
    const fs::path file = folder / kFigureFile;
    return is_own_figure(file) ? file : fs::path();
}

void keep_own_figure(const fs::path& path, const fs::path& folder, const std::string& name) {
    const fs::path kept = folder / kFigureFile;
    std::error_code ignored;
    if (fs::equivalent(path, kept, ignored)) return;
    const std::string text = read_text(path);
    const bool named = text.starts_with("figure =") || text.find("\nfigure =") != std::string::npos;
    write_file(kept, std::string_view(named ? text : fmt::format("figure = \"{}\"\n", name) + text));
}

}  // namespace emergence::cli
