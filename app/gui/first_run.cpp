#include "app/gui/first_run.h"

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/lab/sweeps/sweep_run.h"

namespace emergence {
namespace {

bool changes_settings(const Options& options) { return !options.assignments.empty() || options.seeds.has_value(); }

// Names are meant over the defaults, not over the last settings.
bool names_settings(const Options& options) {
    return !options.files.empty() || !options.experiment.empty() || !options.preset.empty() ||
           changes_settings(options);
}

// Without the assets the window begins with the first experiment's defaults.
std::optional<Opening> very_first_opening() {
    try {
        return opening_of_preset(kFirstPreset);
    } catch (const std::runtime_error&) {
    }
    return std::nullopt;
}

std::optional<Opening> first_opening(const Options& options, const Preferences& preferences) {
    if (!options.preset.empty()) return opening_of_preset(options.preset);
    if (!options.files.empty()) return opening_named(options.files.front());
    const bool remembers = !preferences.experiment.empty() || !preferences.settings.empty();
    return remembers || names_settings(options) ? std::nullopt : very_first_opening();
}

const ExperimentInfo& last_experiment(const Preferences& preferences, const FindExperiment& find) {
    try {
        if (!preferences.experiment.empty()) return find(preferences.experiment);
    } catch (const std::runtime_error&) {  // of another version
    }
    return experiments().front();
}

Settings last_settings(const ExperimentInfo& info, const Preferences& preferences) {
    Settings settings(info.fields);
    recall(preferences, info.name, settings);
    try {
        if (info.check) info.check(settings);
        return settings;
    } catch (const std::runtime_error&) {
        return Settings(info.fields);
    }
}

// The last run's preset: its stage, and its title too if no setting makes another run of it.
void take_last_preset(FirstRun& first, const Preferences& preferences, const FindExperiment& find) {
    if (preferences.preset.empty()) return;
    try {
        const Opening opening = opening_of_preset(preferences.preset);
        StartingPoint start = starting_point(*opening.settings, find);
        if (start.experiment != first.experiment) return;
        first.view = std::move(start.view);
        if (!same_but_for_live_fields(start.settings, first.settings)) return;
        first.file = opening.settings;
        first.preset = opening.name;
    } catch (const std::runtime_error&) {  // of another version
    }
}

void change(Settings& settings, const Options& options) {
    AskedFields asked;
    for (const std::string& assignment : options.assignments) {
        const size_t equals = assignment.find('=');
        if (equals == std::string::npos) throw InputError("--set " + assignment + ": is not of the form field=value");
        const std::string name = assignment.substr(0, equals);
        settings.set_from_text(name, assignment.substr(equals + 1));
        asked.add(name, settings.value(name));
    }
    if (!options.seeds) return;
    settings.set(FieldRole::seed_count, *options.seeds);
    if (const FieldInfo* field = settings.field(FieldRole::seed_count)) asked.add(field->name, *options.seeds);
}

void take_file(FirstRun& first, const Opening& opening, const Options& options, const FindExperiment& find) {
    if (!opening.settings)
        throw InputError(opening.name + ": holds weights without settings. Open an experiment first, then this file");
    const SettingsFile& file = *opening.settings;
    if (!options.experiment.empty() && options.experiment != file.experiment)
        throw InputError(file.source + ": is for the experiment '" + file.experiment + "', not for '" +
                         options.experiment + "'");
    StartingPoint start = starting_point(file, find);
    first.with_figure = opening.experiment;
    first.experiment = opening.experiment ? opening.experiment.get() : start.experiment;
    first.settings = std::move(start.settings);
    first.view = std::move(start.view);
    if (changes_settings(options)) return;
    first.step = start.step;
    first.file = file;
    first.preset = opening.kind == OpeningKind::preset ? opening.name : "";
}

}  // namespace

FirstRun first_run(const Options& options, const Preferences& preferences, const FindExperiment& find) {
    FirstRun first;
    const std::optional<Opening> opening = first_opening(options, preferences);
    if (options.files.size() > 1) first.more.assign(options.files.begin() + 1, options.files.end());
    if (opening && opening->kind == OpeningKind::run) {
        if (changes_settings(options))
            throw InputError(opening->name + ": a resumed run has its own settings. Leave out --set and --seeds");
        first.saved = run_in(std::filesystem::absolute(opening->path).lexically_normal(), find);
        first.experiment = first.saved->experiment;
        first.settings = first.saved->settings;
        return first;
    }
    if (opening && opening->kind != OpeningKind::sweep && opening->kind != OpeningKind::lesson) {
        take_file(first, *opening, options, find);
    } else {
        if (opening && opening->kind == OpeningKind::lesson) {
            first.more.insert(first.more.begin(), opening->path);
            first.experiment = &last_experiment(preferences, find);
        } else if (opening) {
            first.more.insert(first.more.begin(), opening->path);
            first.waits = true;
            first.experiment = read_sweep(*sweep_file_at(opening->path), find).sweep.experiment;
        } else if (!options.experiment.empty()) {
            first.experiment = &find(options.experiment);
        } else {
            first.experiment = names_settings(options) ? &experiments().front() : &last_experiment(preferences, find);
        }
        const bool named = names_settings(options);
        first.settings = named ? Settings(first.experiment->fields) : last_settings(*first.experiment, preferences);
        if (!named && !opening) take_last_preset(first, preferences, find);
    }
    change(first.settings, options);
    if (first.experiment->check) first.experiment->check(first.settings);
    return first;
}

}  // namespace emergence
