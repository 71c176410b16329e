#pragma once
// Figures made of many runs, from settings to files; the many figures of `figure all`, each in its folder, with the
// command for `resume` beside them; and a figure file of the user's own.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "core/lab/figures/figures.h"

namespace emergence::cli {

struct GridFigureJob {
    const ExperimentInfo& experiment;
    const FigureInfo& figure;
    Settings settings;                               // checked
    std::filesystem::path folder;                    // made where it is missing
    bool check_claims = true;                        // the settings are the preset's, of which the claims speak
    std::vector<std::filesystem::path> others = {};  // folders of figures: trainings that they have are not made again
    std::string config = {};  // resumed: the folder's, if its inputs have been replaced by their copies
};

/// Throws InputError, before anything trains, for a picture that memory could not hold.
void check_page(const FigureInfo& figure, const Environment& environment);

/// The job of a folder of a figure of many runs, to be resumed: its config.toml names the figure, and it has no
/// checkpoint. nullopt for another folder.
std::optional<GridFigureJob> grid_figure_in(const std::filesystem::path& folder, const Environment& environment);

/// The figure of such a job, from the jobs that its folder holds; others are computed and saved there.
MadeFigure saved_figure(const GridFigureJob& job, const Environment& environment);

/// Runs the grid, showing progress and the time that is left, and saves every finished job in the folder, where any
/// start with the same settings finds it; then writes claims.toml and the figure, and prints the claims. Returns an
/// exit code: kFailure where a claim fails or the user stopped it, kDiverged where runs are missing. Throws InputError,
/// and IoError also if another program writes the folder.
int run_grid_figure(const GridFigureJob& job, const Environment& environment);

/// Writes the command's arguments into `folder`, for `resume`. Throws IoError.
void write_command(const std::filesystem::path& folder, const Environment& environment);
/// True if write_command() has written there.
bool holds_command(const std::filesystem::path& folder);
/// The arguments that the folder holds. Throws InputError.
std::vector<std::string> command_in(const std::filesystem::path& folder);

/// Calls `use` with an environment in which the file's experiment has its figure, and with the figure's name.
/// `folders`: see own_figure_at(). Throws what it throws.
int with_own_figure(const std::filesystem::path& path, const std::vector<std::string>& folders,
                    const Environment& environment,
                    const std::function<int(const Environment&, const std::string& name)>& use);

/// The figure file that a folder of its figure has; "" if none.
std::filesystem::path own_figure_in(const std::filesystem::path& folder);
/// Puts the file there, so that the figure can be resumed.
void keep_own_figure(const std::filesystem::path& path, const std::filesystem::path& folder, const std::string& name);

}  // namespace emergence::cli
