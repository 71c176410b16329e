#include "app/cli/own_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <system_error>

#include "app/open/run_folder.h"
#include "core/base/error.h"
#include "core/experiments/figure_file.h"
#include "core/files/assets.h"
#include "core/files/atomic_write.h"
#include "core/files/text.h"
#include "core/settings/toml.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

// In the folder of its figure.
constexpr const char* kFigureFile = "figure.toml";

Environment with_experiments(const Environment& from, const std::vector<ExperimentInfo>& experiments) {
    return {experiments,        from.out,         from.err,     from.err_is_terminal,
            from.stop,          from.assets,      from.columns, from.reader_left,
            from.command,       from.arguments,   from.tickets, from.err_columns,
            from.catch_signals, from.stop_reason, from.saved,   from.own_figure};
}

bool has_claims(const std::string& text) { return text.find("\n[claims.") != std::string::npos; }

// The settings that all runs share; the file's are checked where they stand.
Settings shared_settings(const FigureFile& file, const ExperimentInfo& info, const Environment& environment) {
    Settings settings(info.fields);
    if (!file.preset.empty()) {
        const SettingsFile preset = read_settings(preset_path(environment.assets(), file.preset));
        if (preset.experiment != info.name)
            throw InputError(fmt::format("{}: preset '{}' is of experiment {}, and the figure of {}",
                                         file.source, file.preset, preset.experiment, info.name));
        apply(preset, settings);
    }
    apply(file.settings, settings);
    return settings;
}

void check_runs(const FigureFile& file, const ExperimentInfo& info, const Settings& shared) {
    std::vector<Settings> runs;
    for (const RecipeRun& run : file.recipe.runs) {
        SettingsFile changes;
        changes.source = file.source;
        for (const Change& change : run.changes)
            changes.entries.push_back({change.field, change.value, change.line, 1});
        runs.push_back(shared);
        apply(changes, runs.back());
        if (info.check) info.check(runs.back());
    }
    check_cells(file, info, runs);
}

std::vector<FinishedRun> saved_runs(const FigureFile& file, const std::vector<std::string>& folders,
                                    const ExperimentInfo& info, const Environment& environment) {
    const FindExperiment find = [&environment](const std::string& name) -> const ExperimentInfo& {
        return find_experiment_in(environment.experiments, name);
    };
    std::vector<FinishedRun> runs;
    const auto add = [&](const fs::path& path, const std::string& label) {
        const auto folder = run_folder_at(path);
        if (!folder) throw InputError(fmt::format("{}: is no folder of a run", path.string()));
        std::string notice;
        runs.push_back(finished_run_in(*folder, find, notice));
        if (!notice.empty()) environment.err << fmt::format("emergence-cli: {}\n", notice);
        if (!label.empty()) runs.back().label = label;
        if (runs.back().snapshot.experiment != info.name)
            throw InputError(fmt::format("{}: is a run of {}, and the figure '{}' of {}", path.string(),
                                         runs.back().snapshot.experiment, file.recipe.name, info.name));
    };
    for (const std::string& folder : folders) add(folder, "");
    if (folders.empty())
        for (size_t i = 0; i < file.folders.size(); ++i)
            add(fs::path(file.source).parent_path() / file.folders[i], file.recipe.runs[i].label);
    return runs;
}

}  // namespace

bool is_own_figure(const std::string& path) {
    std::error_code ignored;
    if (fs::path(path).extension() != ".toml" || !fs::is_regular_file(path, ignored)) return false;
    return is_figure_file(read_text(path));
}

std::vector<Claim> Environment::claims() const {
    if (own_figure.empty()) return claims_in(assets() / "figures", experiments);
    if (!has_claims(read_text(own_figure))) return {};
    ReadClaims read = read_claims({own_figure}, experiments);
    if (!read.faults.empty()) throw InputError(read.faults.front());
    return std::move(read.claims);
}

int with_own_figure(const std::string& path, const std::vector<std::string>& folders,
                    const Environment& environment,
                    const std::function<int(const Environment&, const std::string& name)>& use) {
    FigureFile file = read_figure_file(path);
    if (file.experiment.empty() && !file.preset.empty())
        file.experiment = read_settings(preset_path(environment.assets(), file.preset)).experiment;
    if (file.experiment.empty())
        throw InputError(path + ": experiment: is missing. Add it, e.g. experiment = \"td\", or a preset");
    std::vector<ExperimentInfo> experiments = environment.experiments;
    find_experiment_in(experiments, file.experiment);  // which lists the names for one that is unknown
    ExperimentInfo& info =
        *std::find_if(experiments.begin(), experiments.end(),
                      [&](const ExperimentInfo& one) { return one.name == file.experiment; });
    for (const ExperimentInfo& other : experiments)
        for (const FigureInfo& figure : other.figures)
            if (figure.name == file.recipe.name)
                throw InputError(
                    fmt::format("{}: a figure '{}' ships. Give this one another name with figure = \"…\"",
                                path, file.recipe.name));
    if (!folders.empty() || !file.folders.empty()) {
        auto saved = saved_runs(file, folders, info, environment);
        if (!folders.empty()) {
            file.recipe.runs.clear();
            for (const FinishedRun& run : saved) file.recipe.runs.push_back({run.label});
        }
        file.recipe.saved = std::make_shared<const std::vector<FinishedRun>>(std::move(saved));
    } else {
        check_runs(file, info, shared_settings(file, info, environment));
    }
    FigureInfo figure = figure_of(file.recipe);
    figure.preset = file.preset;
    for (const SettingsFile::Entry& entry : file.settings.entries)
        figure.start.emplace_back(entry.name, entry.value);
    info.figures.push_back(std::move(figure));
    Environment own = with_experiments(environment, experiments);
    own.own_figure = path;
    return use(own, file.recipe.name);
}

std::string own_figure_in(const fs::path& folder) {
    const std::string file = (folder / kFigureFile).string();
    return is_own_figure(file) ? file : "";
}

void keep_own_figure(const std::string& path, const fs::path& folder, const std::string& name) {
    const fs::path kept = folder / kFigureFile;
    std::error_code ignored;
    if (fs::equivalent(path, kept, ignored)) return;
    const std::string text = read_text(path);
    const bool named = text.starts_with("figure =") || text.find("\nfigure =") != std::string::npos;
    write_file(kept, std::string_view(named ? text : fmt::format("figure = \"{}\"\n", name) + text));
}

}  // namespace emergence::cli
