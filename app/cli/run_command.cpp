// Carries out run and figure, from a request to a job.

#include <fmt/format.h>

#include <algorithm>

#include <system_error>

#include "app/cli/command.h"
#include "app/cli/grid_figure.h"
#include "app/cli/job.h"
#include "app/cli/out_folder.h"
#include "app/cli/run_request.h"
#include "app/open/own_figure.h"
#include "app/open/run_folder.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/experiments/registry.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"
#include "core/lab/store/checkpoint.h"
#include "core/lab/sweeps/sweep.h"
#include "core/settings/fields.h"
#include "core/settings/toml.h"
#include "core/settings/toml_reader.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

void add_figures(const Target& target, Job& job) {
    if (target.figure)
        job.figures = {target.figure};
    else
        for (const FigureInfo& figure : target.experiment->figures)
            if (figure.draw) job.figures.push_back(&figure);
}

// Returns out/<name>-<date>-<time>, with a number if the folder exists already.
fs::path new_folder(const std::string& name) {
    return free_path(fs::path("out") / fmt::format("{}-{}", name, time_stamp()));
}

// Returns the figures that a name stands for if it is "all" or a paper's, or none.
std::vector<std::string> figures_of_papers(const std::string& name, const Environment& environment) {
    std::vector<std::string> figures;
    const auto wanted = [&name](const std::string& experiment) {
        return name == "all" || any_of(papers(), [&](const Paper& paper) {
                   return paper.name == name &&
                          std::count(paper.experiments.begin(), paper.experiments.end(), experiment);
               });
    };
    for (const ExperimentInfo& info : environment.experiments)
        for (const FigureInfo& figure : info.figures)
            if (wanted(info.name)) figures.push_back(figure.name);
    return figures;
}

// Holds the arguments of `figure all` in its folder, for `resume`.
constexpr const char* kCommandFile = "command.toml";

// Returns the arguments that the file holds. Throws InputError.
std::vector<std::string> command_in(const fs::path& file) {
    std::vector<std::string> words;
    const toml::table table = read_toml(file);
    if (const toml::array* arguments = table["arguments"].as_array())
        for (const auto& word : *arguments)
            if (const auto* found = word.as_string()) words.push_back(found->get());
    if (words.empty()) throw InputError("{}: holds no arguments", file.string());
    return words;
}

// Makes each figure in its own folder, even if others fail. Returns the first exit code that is not kDone.
int run_figures(const std::vector<std::string>& figures, const RunRequest& request, const Environment& environment) {
    const fs::path folder = request.out ? fs::path(*request.out) : new_folder("figures");
    refuse_links_out(folder);
    for (const std::string& figure : figures)
        environment.would(fmt::format("draw {} into {}", figure, (folder / figure).string()));
    if (environment.asked.dry_run) throw DryRunEnds();
    prepare_folder(folder);
    const FolderLock lock = enter_folder(folder, [] { return true; });
    write_file(folder / kCommandFile,
               std::string_view(fmt::format("# 'resume' repeats this command.\narguments = [{}]\n",
                                            listed(environment.arguments, quoted_toml))));
    environment.has_saved("Finished figures and runs are saved", folder);
    int first = kDone;
    for (size_t i = 0; i < figures.size() && !environment.stopped(); ++i) {
        RunRequest one = request;
        one.name = figures[i];
        one.out = (folder / one.name).string();
        int code = kFailure;
        try {
            code = run_run(one, environment.without_saved());
        } catch (const std::runtime_error& error) {
            environment.err << fmt::format("emergence-cli: {}: {}\n", one.name, error.what());
        }
        if (first == kDone) first = code;
    }
    return environment.stopped() ? kFailure : first;
}

// What resume was asked for.
struct ResumeRequest {
    std::string folder;
    std::vector<std::string> changes;  // for fields that apply to a running run
};

// Returns the words of a command that begins again in its folder. --out and --force applied only to its beginning.
std::vector<std::string> words_again(const std::vector<std::string>& words, const std::string& folder) {
    std::vector<std::string> again;
    for (size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--out")
            ++i;
        else if (words[i] != "--force" && !words[i].starts_with("--out="))
            again.push_back(words[i]);
    }
    again.insert(again.end(), {"--out", folder});
    return again;
}

// For anything but a run, resume repeats the command that began it. Returns nullopt for a run.
std::optional<int> resume_grid(const ResumeRequest& request, const Environment& environment) {
    const fs::path folder = request.folder;
    if (const fs::path own = own_figure_in(folder); !own.empty() && environment.own_figure.empty())
        return with_own_figure(own, {}, environment, [&](const Environment& with, const std::string&) {
            return resume_grid(request, with).value_or(kBadInput);
        });
    const auto figure = grid_figure_in(folder, environment);
    const bool is_sweep = is_folder(folder) && sweep_file_at(folder).has_value();
    const bool holds_command = is_there(folder / kCommandFile);
    if (!figure && !is_sweep && !holds_command) return std::nullopt;
    if (!request.changes.empty())
        throw InputError("{}: is not a run. Only a run can change its settings on resume", request.folder);
    if (holds_command) {
        Environment again = environment;
        again.arguments = command_in(folder / kCommandFile);
        const ParsedLine line = parse_line(words_again(again.arguments, request.folder));
        again.asked = line.asked;
        again.asked.dry_run = environment.asked.dry_run;
        again.asked.json |= environment.asked.json;
        if (environment.asked.threads) again.asked.threads = environment.asked.threads;
        if (line.command == "figure") return line.action(again);
        throw InputError("{}: holds a command that cannot be resumed", request.folder);
    }
    Environment as_before = environment;
    as_before.asked.page = page_in(folder);
    return is_sweep ? parse_line({"sweep", request.folder}).action(as_before) : run_grid_figure(*figure, as_before);
}

}  // namespace

int run_run(const RunRequest& request, const Environment& environment) {
    if (request.is_figure)
        if (const auto figures = figures_of_papers(request.name, environment); !figures.empty())
            return run_figures(figures, request, environment);
    if (request.is_figure && fs::path(request.name).extension() == ".toml" && !is_there(request.name))
        throw InputError(request.name + ": there is no such file");
    if (request.is_figure && environment.own_figure.empty() && is_own_figure(request.name))
        return with_own_figure(request.name, request.runs, environment,
                               [&request](const Environment& own, const std::string& name) {
                                   RunRequest named = request;
                                   named.name = name;
                                   return run_run(named, own);
                               });
    if (!request.runs.empty() && environment.own_figure.empty())
        throw InputError("{}: is not a figure file. Only a figure file can draw saved runs", request.name);
    const Target target = find_target(request, environment);
    const Settings settings = settings_for(request, target, environment);
    const bool check_claims = request.is_figure && speaks_of(settings, target, environment);
    std::vector<std::string> changed;
    for (const std::string& change : request.changes) changed.push_back(field_of(change));
    for (const std::string& notice :
         target.needs_own_runs() ? kept_notices(target, settings, changed) : idle_notices(settings, changed))
        environment.notice(notice);
    const fs::path folder = request.out ? fs::path(*request.out)
                                        : new_folder(target.figure != nullptr ? target.figure->name
                                                     : target.file            ? target.experiment->name
                                                                              : request.name);
    if (target.needs_own_runs())
        return run_grid_figure({*target.experiment, *target.figure, settings, folder, check_claims}, environment);
    const auto stop_at = target.file && request.changes.empty() ? target.file->step : std::nullopt;
    Job job{*target.experiment, settings, folder, {}, stop_at, request.is_figure, check_claims && !stop_at};
    add_figures(target, job);
    for (const FigureInfo* figure : job.figures) check_page(*figure, environment);
    if (request.is_figure && !check_claims && target.figure->check) target.figure->check(*target.experiment, settings);
    if (request.preset)
        job.stage = stage_of(read_settings(preset_path(environment.assets(), *request.preset)));
    else if (target.file)
        job.stage = stage_of(*target.file);
    job.autosave = environment.asked.autosave.value_or(job.autosave);
    job.moments = environment.asked.moments.value_or(job.moments);
    return run_job(job, environment);
}

namespace {

int run_resume(const ResumeRequest& request, const Environment& environment) {
    refuse_links_out(request.folder);
    if (const auto code = resume_grid(request, environment)) return *code;
    const FoundCheckpoint found = find_checkpoint(request.folder);
    environment.notice(found.notice);
    Target target;
    target.file = found.checkpoint.settings;
    target.experiment = &named(environment.experiments, target.file->experiment, "experiment");
    const bool is_figure = !target.file->figure.empty();
    if (is_figure && !target.find_figure(target.file->figure))
        throw InputError("{}: belongs to the figure '{}', which does not exist. 'emergence-cli list' lists all figures",
                         found.file.string(), target.file->figure);
    refuse_edited(request.folder, found.checkpoint.settings, *target.experiment);
    const Settings kept = settings_for({}, target, environment);
    Settings settings = kept;
    apply_changes(request.changes, settings, true);
    if (target.experiment->check) target.experiment->check(settings);
    const int64_t done = found.checkpoint.settings.step.value_or(0);
    if (!(settings == kept))
        if (const int64_t stop = target.experiment->make(settings)->target_step(); stop < done)
            throw InputError("{}: has already trained {} steps, so it cannot stop at {}. Set a later end",
                             request.folder, done, stop);
    Job job{*target.experiment, settings, request.folder, {}, {}, is_figure};
    add_figures(target, job);
    job.check_claims =
        is_figure && settings == figure_settings(*target.experiment, *target.figure, environment.assets());
    job.from = &found.checkpoint;
    const ProvenanceSession before = last_session_in(request.folder);
    job.autosave = environment.asked.autosave.value_or(before.autosave.value_or(job.autosave));
    job.moments = environment.asked.moments.value_or(before.moments.value_or(job.moments));
    job.stage = before.stage;
    Environment as_before = environment;
    as_before.asked.page = page_in(request.folder);
    return run_job(job, as_before);
}

void add_run_options(Options& options, RunRequest& request) {
    options.changes("Change settings: field=value (several may follow; may be repeated; see info)", request.changes);
    options.parsed("--seed", "N", "First seed; the same as --set seed=N",
                   [&request](const std::string& text) { request.changes.push_back("seed=" + text); });
    options.text("--seeds", "K", "Number of networks, with seeds seed .. seed+K-1", request.seeds);
    options.threads();
    options.autosave();
    options.moments();
    options.out("Folder for the results (default: out/<name>-<date>-<time>)", request.out);
    options.page();
    options.json(true);
}

}  // namespace

Command run_command() {
    return command_of<RunRequest>(
        "run", "Train, then write config.toml, metrics.csv, weights.npz and figures",
        [](Options& options, RunRequest& request) {
            options
                .text("experiment", "EXPERIMENT|FILE",
                      "Name of an experiment, or a figure or settings file to run again", request.name)
                .required();
            add_run_options(options, request);
            options.text("--preset", "PRESET", "Start from a preset (see list)", request.preset);
            options.parsed("--weights", "W.npz",
                           "Start from weights in an NPZ or safetensors file; the same as --set weights=FILE",
                           [&request](const std::string& file) { request.changes.push_back("weights=" + file); });
        },
        run_run, true);
}

Command figure_command() {
    return command_of<RunRequest>(
        "figure", "Train what a paper's figure needs, and draw it",
        [](Options& options, RunRequest& request) {
            request.is_figure = true;
            options
                .text("name", "FIGURE|PAPER|FILE",
                      "Figure name (see list), all, a paper (such as bandits), a drawn figure, or your own figure file",
                      request.name)
                .required();
            options.texts("runs", "DIR", "Folders of saved runs for a figure file to draw, instead of training its own",
                          request.runs);
            add_run_options(options, request);
        },
        run_run, true);
}

Command resume_command() {
    return command_of<ResumeRequest>(
        "resume", "Resume a stopped or killed run, sweep or figure, or make a finished run longer",
        [](Options& options, ResumeRequest& request) {
            options.text("folder", "DIR", "Its folder", request.folder).required();
            options.changes("Change a live setting, for example the run's end: field=value", request.changes);
            options.threads();
            options.autosave();
            options.moments();
            options.dry_run();
            options.json(true);
        },
        run_resume, true);
}

}  // namespace emergence::cli
