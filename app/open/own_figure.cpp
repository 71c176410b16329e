#include "app/open/own_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>

#include "app/open/run_folder.h"
#include "core/base/error.h"
#include "core/experiments/figure_file.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/files/text.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

// The settings that all runs share. The file's settings are checked where they stand.
Settings shared_settings(const FigureFile& file, const ExperimentInfo& info, const fs::path& assets) {
    Settings settings(info.fields);
    if (!file.preset.empty()) {
        const SettingsFile preset = read_settings(preset_path(assets, file.preset));
        if (preset.experiment != info.name)
            throw InputError("{}: preset '{}' is of experiment {}, but the figure is of {}", file.source, file.preset,
                             preset.experiment, info.name);
        apply(preset, settings);
    }
    apply(file.settings, settings);
    return settings;
}

std::vector<Settings> settings_of_runs(const FigureFile& file, const ExperimentInfo& info, const Settings& shared) {
    std::vector<Settings> runs;
    for (const RecipeRun& run : file.recipe.runs) {
        SettingsFile changes;
        changes.source = file.source;
        changes.entries = run.changes;
        runs.push_back(shared);
        apply(changes, runs.back());
        if (info.check) info.check(runs.back());
    }
    return runs;
}

std::vector<FinishedRun> saved_runs(const FigureFile& file, const std::vector<std::string>& folders,
                                    const FindExperiment& find, std::vector<std::string>& notices) {
    std::vector<FinishedRun> runs;
    std::map<fs::path, fs::path> given;
    const auto add = [&](const fs::path& path, const std::string& label) {
        std::string notice;
        runs.push_back(finished_run_in(run_given_once(path, given), find, notice));
        if (!notice.empty()) notices.push_back(notice);
        if (!label.empty()) runs.back().label = label;
        if (runs.back().snapshot.experiment != file.experiment)
            throw InputError("{}: is a run of {}, but the figure '{}' is of {}", path.string(),
                             runs.back().snapshot.experiment, file.recipe.name, file.experiment);
    };
    for (const std::string& folder : folders) add(folder, "");
    if (folders.empty())
        for (size_t i = 0; i < file.folders.size(); ++i)
            add(fs::path(file.source).parent_path() / file.folders[i], file.recipe.runs[i].label);
    return runs;
}

void refuse_shipped_name(const FigureFile& file) {
    for (const ExperimentInfo& other : experiments())
        for (const FigureInfo& figure : other.figures)
            if (figure.name == file.recipe.name)
                throw InputError(
                    "{}: a shipped figure is already called '{}'. Choose another name, e.g. figure = \"my-{}\"",
                    file.source, figure.name, figure.name);
}

// Returns settings in the form of a file that begins a run.
SettingsFile as_file(const FigureFile& file, const Settings& settings) {
    SettingsFile first;
    first.source = file.source;
    first.experiment = file.experiment;
    first.title = file.recipe.title;
    for (const FieldInfo& field : settings.fields())
        if (settings.value(field.name) != field.default_value)
            first.entries.push_back({field.name, settings.value(field.name)});
    return first;
}

}  // namespace

bool is_own_figure(const fs::path& path) {
    return path.extension() == ".toml" && is_file(path) && is_figure_file(read_text(path));
}

OwnFigure own_figure_at(const fs::path& path, const std::vector<std::string>& folders, const FindExperiment& find,
                        const fs::path& assets, std::vector<std::string>& notices) {
    FigureFile file = read_figure_file(path, folders.size());
    if (file.experiment.empty() && !file.preset.empty())
        file.experiment = read_settings(preset_path(assets, file.preset)).experiment;
    if (file.experiment.empty())
        throw InputError("{}: experiment: is missing. Add it, e.g. experiment = \"td\", or a preset", file.source);
    refuse_shipped_name(file);
    auto experiment = std::make_shared<ExperimentInfo>(find(file.experiment));
    OwnFigure own{file.recipe.name, experiment, {}};
    if (folders.empty() && file.folders.empty()) {
        const Settings shared = shared_settings(file, *experiment, assets);
        const std::vector<Settings> runs = settings_of_runs(file, *experiment, shared);
        rehearse(file.recipe, *experiment, shared);
        own.settings = as_file(file, runs.front());
    } else {
        auto saved = saved_runs(file, folders, find, notices);
        own.settings = as_file(file, saved.front().snapshot.settings);
        file.recipe.saved = std::make_shared<const std::vector<FinishedRun>>(std::move(saved));
    }
    FigureInfo figure = figure_of(file.recipe);
    figure.preset = file.preset;
    for (const SettingsFile::Entry& entry : file.settings.entries) figure.start.emplace_back(entry.name, entry.value);
    experiment->figures.push_back(std::move(figure));
    return own;
}

}  // namespace emergence
