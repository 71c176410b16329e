#include "app/cli/sweep_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "app/cli/out_folder.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/folders.h"
#include "core/lab/sweeps/sweep_run.h"
#include "core/settings/toml.h"

namespace emergence::cli {
namespace {

namespace fs = std::filesystem;

// The file that was named: a path, the folder of a sweep, or one of assets/sweeps; nothing for another name.
std::optional<fs::path> sweep_file_named(const std::string& name, const Environment& environment) {
    std::error_code ignored;
    if (fs::is_directory(name, ignored)) return sweep_file_at(name).value_or(fs::path(name) / kSweepFile);
    if (fs::exists(name, ignored)) return name;
    const fs::path shipped = environment.assets() / "sweeps" / (name + ".toml");
    if (fs::exists(shipped, ignored)) return shipped;
    return std::nullopt;
}

const ExperimentInfo* experiment_named(const std::string& name, const Environment& environment) {
    for (const ExperimentInfo& info : environment.experiments)
        if (info.name == name) return &info;
    return nullptr;
}

std::pair<std::string, std::string> field_and_value(const std::string& option, const std::string& text) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw InputError(fmt::format("{}: '{}' is not of the form field=value", option, text));
    return {text.substr(0, equals), text.substr(equals + 1)};
}

// Settings that the cells share, and no axis yet.
Sweep sweep_around(const ExperimentInfo& experiment, const SweepRequest& request, const Environment& environment) {
    Sweep sweep;
    sweep.experiment = &experiment;
    sweep.settings = Settings(experiment.fields);
    if (request.preset) {
        const SettingsFile file = read_settings(preset_path(environment.assets(), *request.preset));
        if (file.experiment != experiment.name)
            throw InputError(fmt::format("--preset: {} is of experiment {}, not of {}", *request.preset,
                                         file.experiment, experiment.name));
        apply(file, sweep.settings);
    }
    if (experiment.emergence_rule.empty()) sweep.score.clear();
    return sweep;
}

// Several values make an axis, one value a setting of all cells.
void apply_sweep_change(const std::string& change, Sweep& sweep) {
    const auto [name, value] = field_and_value("--set", change);
    const FieldInfo& field = sweep.settings.info(name);
    SweepAxis axis = parse_axis(field, value);
    const auto found = std::find_if(sweep.axes.begin(), sweep.axes.end(),
                                    [&name = name](const SweepAxis& one) { return one.field == name; });
    if (axis.values.size() == 1 && name == "seeds") {
        sweep.seeds = static_cast<int>(std::get<int64_t>(axis.values.front()));
    } else if (axis.values.size() == 1) {
        if (found != sweep.axes.end()) sweep.axes.erase(found);
        sweep.settings.set(name, axis.values.front());
    } else if (found != sweep.axes.end()) {
        *found = std::move(axis);
    } else {
        sweep.axes.push_back(std::move(axis));
    }
}

void apply_changes(const SweepRequest& request, Sweep& sweep) {
    std::set<std::string> named;
    for (const std::string& change : request.changes) {
        const std::string name = field_and_value("--set", change).first;
        if (!named.insert(name).second)
            throw InputError(fmt::format("--set: {0} is there twice. Give its values at once: {0}=1,2,3", name));
        apply_sweep_change(change, sweep);
    }
    if (sweep.axes.empty())
        throw InputError(
            "a sweep needs a setting with several values: --set num_layers=1,2,3 or --set gamma=0.1:0.9:5");
    AskedFields asked;
    if (named.contains("seeds")) asked.add("seeds", int64_t{sweep.seeds});
    if (request.seeds) asked.add("seeds", int64_t{sweep.seeds = *request.seeds});
    if (request.weights) sweep.weights = true;
    if (request.score) sweep.score = *request.score;
    if (sweep.score.empty()) {
        const auto scores = scores_of(*sweep.experiment, settings_of(sweep, SweepCell(sweep.axes.size(), 0)));
        if (!scores.empty()) sweep.score = scores.front().name;
    }
    choose_axes(sweep, request.x, request.y);
    for (const std::string& place : request.at) {
        const auto [name, value] = field_and_value("--at", place);
        if (name == sweep.x().field || (sweep.y() != nullptr && name == sweep.y()->field))
            throw InputError(fmt::format("--at: {} is shown with all of its values", name));
        show_at(sweep, name, value);
    }
    for (const SweepAxis& axis : sweep.axes)
        sweep.settings.set(axis.field, sweep.settings.info(axis.field).default_value);
}

bool changes_anything(const SweepRequest& request) {
    return !request.changes.empty() || request.seeds || request.weights || request.score || !request.x.empty() ||
           !request.y.empty() || !request.at.empty();
}

}  // namespace

AskedSweep sweep_asked_for(const SweepRequest& request, const FindExperiment& find, const Environment& environment) {
    const auto file = sweep_file_named(request.file, environment);
    const ExperimentInfo* experiment = file ? nullptr : experiment_named(request.file, environment);
    if (!file && experiment == nullptr) {
        std::vector<std::string> names;
        for (const ExperimentInfo& info : environment.experiments) names.push_back(info.name);
        throw InputError(unknown_name("sweep, file or experiment", request.file, names,
                                      "a sweep lies in a file or in assets/sweeps"));
    }
    if (file && request.preset)
        throw InputError("--preset: a sweep of a file has its own settings; name an experiment instead");
    AskedSweep asked;
    asked.text = file ? read_sweep(*file, find) : SweepText{sweep_around(*experiment, request, environment), ""};
    if (!file || changes_anything(request)) {
        Sweep sweep = asked.text.sweep;
        apply_changes(request, sweep);
        if (!file || !request.changes.empty() || request.score)
            sweep.title = default_title(sweep, score_of(sweep).label);
        if (!request.changes.empty() || request.score) sweep.description.clear();
        asked.text.text = sweep_to_toml(sweep, WholePaths::all);
        asked.text.sweep = parse_sweep(asked.text.text, "sweep", find);
    }
    std::error_code ignored;
    const bool in_place =
        file && fs::is_directory(request.file, ignored) && *file == fs::path(request.file) / kSweepFile;
    asked.folder = request.out ? folder_named(*request.out)
                   : in_place  ? fs::path(request.file)
                   : file      ? fs::path("out") / file->stem()
                               : fs::path("out") / folder_name(asked.text.sweep);
    return asked;
}

}  // namespace emergence::cli
