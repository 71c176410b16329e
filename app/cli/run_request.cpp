// Finds what a name on the command line means: an experiment, a figure, or a file that names one.

#include "app/cli/run_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "app/open/opening.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/figures/figures.h"
#include "core/lab/store/checkpoint.h"
#include "core/settings/toml.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

// Throws InputError also for what another command takes.
SettingsFile settings_at(const std::string& name) {
    const Opening opening = opening_at(name);
    if (opening.kind == OpeningKind::sweep)
        throw InputError("{}: is a sweep. Compute it with: {}", name, shell_command({"sweep", path_argument(name)}));
    if (opening.kind == OpeningKind::lesson)
        throw InputError("{}: is a lesson. Check it with: {}", name,
                         shell_command({"lesson", "check", path_argument(name)}));
    if (opening.kind == OpeningKind::run && is_folder(name))
        throw InputError("{}: is a saved run. Resume it with: {}", name,
                         shell_command({"resume", path_argument(name)}));
    return opening.settings ? *opening.settings : settings_of_file(name);
}

// A name that is neither an experiment nor a figure may be a file that names one.
Target target_in_file(const RunRequest& request, const Environment& environment) {
    Target target;
    target.file = settings_at(request.name);
    target.experiment = &named(environment.experiments, target.file->experiment, "experiment");
    if (!request.is_figure) return target;
    if (target.find_figure(target.file->figure)) return target;
    const std::string what =
        target.file->figure.empty()
            ? "holds settings but names no figure"
            : fmt::format("belongs to '{}', which is not a figure of the papers (see list)", target.file->figure);
    throw InputError("{}: {}. To train with its settings and draw the result: {}", request.name, what,
                     shell_command({"run", path_argument(request.name)}));
}

fs::path found_run(const std::string& folder) {
    const auto found = run_folder_at(folder);
    if (!found) throw InputError("{}: is not the folder of a run", folder);
    return *found;
}

}  // namespace

const FigureInfo* figure_named(const ExperimentInfo& experiment, const std::string& name) {
    for (const FigureInfo& figure : experiment.figures)
        if (figure.name == name) return &figure;
    return nullptr;
}

std::string preset_experiment(const std::string& name, const Environment& environment) {
    try {
        return read_settings(preset_path(environment.assets(), name)).experiment;
    } catch (const std::exception&) {  // without assets there is no preset to open
        return "";
    }
}

RunToOpen saved_run(const std::string& folder, const Environment& environment) {
    RunToOpen opened = run_in(found_run(folder), environment.find_experiment());
    environment.notice(opened.notice);
    return opened;
}

FinishedRun finished_run(const std::string& folder, const Environment& environment) {
    std::string notice;
    FinishedRun run = finished_run_in(found_run(folder), environment.find_experiment(), notice);
    environment.notice(notice);
    return run;
}

Target find_target(const RunRequest& request, const Environment& environment) {
    std::vector<std::string> names;
    for (const ExperimentInfo& info : environment.experiments) {
        if (!request.is_figure) names.push_back(info.name);
        if (!request.is_figure && info.name == request.name) return {&info};
        if (!request.is_figure) continue;
        Target target{&info};
        if (target.find_figure(request.name)) return target;
        for (const FigureInfo& figure : info.figures) names.push_back(figure.name);
    }
    const std::string kind = request.is_figure ? "figure" : "experiment";
    const std::string preset = preset_experiment(request.name, environment);
    if (is_file(request.name) || (is_folder(request.name) && preset.empty()))
        return target_in_file(request, environment);
    if (!preset.empty())
        throw InputError("{} '{}' is a preset. Use: {}", kind, request.name,
                         shell_command({"run", preset, "--preset", request.name}));
    throw InputError(unknown_name(kind, request.name, names, "'emergence-cli list' names all"));
}

void apply_file(const SettingsFile& file, const ExperimentInfo& experiment, const Environment& environment,
                Settings& settings) {
    if (file.experiment != experiment.name)
        throw InputError("{}: holds settings of {}, not of {}. Use 'emergence-cli run {}'", file.source,
                         file.experiment, experiment.name, file.experiment);
    apply(file, settings);
    for (const std::string& notice : use_copied_inputs(fs::path(file.source).parent_path(), settings))
        environment.notice(notice);
}

std::string field_of(const std::string& change) { return change.substr(0, change.find('=')); }

void apply_changes(const std::vector<std::string>& changes, Settings& settings, bool live) {
    AskedFields asked;
    for (const std::string& change : changes) {
        const std::string name = field_of(change);
        if (name.empty() || name == change) throw InputError("--set: '{}' sets nothing. Write FIELD=VALUE", change);
        const std::string value = change.substr(name.size() + 1);
        try {
            settings.set_from_text(name, value);
        } catch (const InputError& error) {
            if (!settings.has(name) || value.find_first_of(",:") == std::string::npos) throw;
            throw InputError("{}. Only 'sweep' takes several values", error.what());
        }
        ask_for(asked, name, settings.value(name));
        if (!live || settings.info(name).applies == Applies::live) continue;
        std::string all;
        for (const FieldInfo& field : settings.fields())
            if (field.applies == Applies::live) all += (all.empty() ? "" : ", ") + field.name;
        throw InputError("--set: a resumed run cannot change {}. It can change: {}", name,
                         all.empty() ? "nothing" : all);
    }
}

void refuse_edited(const fs::path& folder, const SettingsFile& trained, const ExperimentInfo& experiment) {
    const fs::path config = folder / "config.toml";
    if (!is_file(config)) return;
    Settings then(experiment.fields), now(experiment.fields);
    apply(trained, then);
    apply(read_settings(config), now);
    for (const FieldInfo& field : experiment.fields ? *experiment.fields : FieldTable()) {
        if (field.applies == Applies::live || field.reads || then.value(field.name) == now.value(field.name)) continue;
        throw InputError(
            "{}: was edited: {} is {}, but the run was trained with {}. Undo the edit, or train another run: {}",
            config.string(), field.name, to_text(now.value(field.name)), to_text(then.value(field.name)),
            shell_command({"run", path_argument(config.string())}));
    }
}

Settings settings_for(const RunRequest& request, const Target& target, const Environment& environment) {
    Settings settings(target.experiment->fields);
    const std::optional<std::string> preset = target.preset() && !target.file ? target.preset() : request.preset;
    if (target.file) apply_file(*target.file, *target.experiment, environment, settings);
    if (preset)
        apply_file(read_settings(preset_path(environment.assets(), *preset)), *target.experiment, environment,
                   settings);
    if (target.figure && !target.file) settings = started(*target.figure, settings);
    const Settings start = settings;
    std::vector<std::string> changes = request.changes;
    if (request.seeds) changes.push_back("seeds=" + *request.seeds);
    apply_changes(changes, settings);
    if (target.figure) refuse_unused(*target.experiment, *target.figure, start, settings);
    if (target.experiment->check) target.experiment->check(settings);
    return settings;
}

std::vector<std::string> kept_notices(const Target& target, const Settings& settings,
                                      const std::vector<std::string>& named) {
    std::vector<std::string> notices;
    if (!target.figure->plan) return notices;
    const std::vector<GridConfig> runs = target.figure->plan(*target.experiment, settings);
    for (const std::string& name : named) {
        std::vector<std::string> keep;
        size_t idle = 0;
        std::string why;
        for (const GridConfig& run : runs) {
            if (std::count(run.own.begin(), run.own.end(), name) > 0) keep.push_back(run.label);
            if (!run.settings.has(name)) continue;
            why = why_idle(run.settings, run.settings.info(name));
            if (!why.empty()) ++idle;
        }
        if (!keep.empty())
            notices.push_back(fmt::format("runs with their own {} keep it: {}", name, fmt::join(keep, "; ")));
        if (idle == runs.size()) notices.push_back(fmt::format("{} {}", name, why));
    }
    return notices;
}

std::vector<std::string> stage_of(const SettingsFile& file) {
    return file.view ? staging_in(*file.view).stage : std::vector<std::string>();
}

bool speaks_of(const Settings& settings, const Target& target, const Environment& environment) {
    return !target.file && target.figure != nullptr &&
           settings == figure_settings(*target.experiment, *target.figure, environment.assets());
}

}  // namespace emergence::cli
