#pragma once
// Turns the names in requests of `run` and `figure` into an experiment, a figure and settings. Fields stay text in a
// request until the experiment's own table checks them.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/open/run_folder.h"
#include "core/lab/study.h"
#include "core/settings/toml.h"

namespace emergence::cli {

struct RunRequest {
    bool is_figure = false;
    std::string name;                  // of the experiment or the figure, or a file that says which (and, unless
                                       // something is changed, up to which step)
    std::vector<std::string> runs;     // folders of saved runs, for a figure file
    std::vector<std::string> changes;  // "field=value"
    std::optional<std::string> seeds;
    std::optional<std::string> out;
    std::optional<std::string> preset;
};

int run_run(const RunRequest& request, const Environment& environment);

/// Returns the experiment's figure of that name, or nullptr.
const FigureInfo* figure_named(const ExperimentInfo& experiment, const std::string& name);

/// What a command is about.
struct Target {
    const ExperimentInfo* experiment = nullptr;
    const FigureInfo* figure = nullptr;     // for the figure command
    std::optional<SettingsFile> file = {};  // if the request named one

    /// Fills in the figure of that name. Returns false if the experiment has none.
    bool find_figure(const std::string& name) {
        figure = figure_named(*experiment, name);
        return figure != nullptr;
    }
    std::optional<std::string> preset() const {
        return figure && !figure->preset.empty() ? std::optional(figure->preset) : std::nullopt;
    }
    // Some figures are drawn from runs that only they train. Any other is drawn from a run that can be resumed.
    bool needs_own_runs() const { return figure && !figure->draw; }
};

/// Returns the name of the experiment to which the preset of that name belongs, or "" if there is no such preset or no
/// assets.
std::string preset_experiment(const std::string& name, const Environment& environment);

/// Returns the run saved in a folder, and prints a notice on standard error. Throws InputError.
RunToOpen saved_run(const std::string& folder, const Environment& environment);
/// Returns the run at the step of its checkpoint, under the folder's name.
FinishedRun finished_run(const std::string& folder, const Environment& environment);

/// Returns the experiment, figure or file that `request` names. Throws InputError that names what was probably meant,
/// also for a preset and for what another command takes.
Target find_target(const RunRequest& request, const Environment& environment);

/// Settings of a run's folder lead to its copies of weights and worlds where the originals have changed.
void apply_file(const SettingsFile& file, const ExperimentInfo& experiment, const Environment& environment,
                Settings& settings);

/// Returns "gamma" for "gamma=0.9".
std::string field_of(const std::string& change);
/// Reads several `FIELD=VALUE`, as --set takes them. Throws InputError for anything else, and if two of them give a
/// field different values. With `live`, takes only what a running run can be given.
void apply_changes(const std::vector<std::string>& changes, Settings& settings, bool live = false);

/// Throws InputError if the config.toml of a run's folder has other settings than those that the run was trained with.
void refuse_edited(const std::filesystem::path& folder, const SettingsFile& trained, const ExperimentInfo& experiment);

/// Starts from the defaults, then applies the preset or file, then the command line. A file that is given as the target
/// has all settings.
Settings settings_for(const RunRequest& request, const Target& target, const Environment& environment);

/// Prints one notice per setting among `named` that some runs of a figure keep, or that has no effect on any of them.
std::vector<std::string> kept_notices(const Target& target, const Settings& settings,
                                      const std::vector<std::string>& named);

/// Returns the pictures that a file puts on the window's stage.
std::vector<std::string> stage_of(const SettingsFile& file);

/// A figure's claims hold for its preset, so changed settings switch them off.
bool speaks_of(const Settings& settings, const Target& target, const Environment& environment);

}  // namespace emergence::cli
