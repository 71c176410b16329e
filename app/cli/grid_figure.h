#pragma once
// Makes figures of many runs, from settings to files, each in its folder. Also opens a figure file of the user's own.

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
    Settings settings;             // checked
    std::filesystem::path folder;  // made where it is missing
    bool check_claims = true;      // the settings are the preset's, for which the claims hold
    std::string config = {};       // that of a resumed folder, if copies have replaced its inputs
};

/// Throws InputError, before anything trains, for a picture that memory could not hold.
void check_page(const FigureInfo& figure, const Environment& environment);

/// Returns the job of a figure of many runs to resume from its folder. Its config.toml names the figure, and it has no
/// checkpoint. Returns nullopt for another folder.
std::optional<GridFigureJob> grid_figure_in(const std::filesystem::path& folder, const Environment& environment);

/// Returns the figure of such a job, from the jobs that its folder holds. Computes the others and saves them there.
MadeFigure saved_figure(const GridFigureJob& job, const Environment& environment);

/// Runs the grid and shows progress and the time that is left. It saves every finished job in the folder, where any
/// start with the same settings finds it. Then it writes claims.toml and the figure, and prints the claims. Returns an
/// exit code: kFailure if a claim fails or the user stopped it, kDiverged if runs are missing. Throws InputError, and
/// IoError also if another program writes the folder.
int run_grid_figure(const GridFigureJob& job, const Environment& environment);

/// Calls `use` with an environment in which the file's experiment has its figure, and with the figure's name. For
/// `folders` see own_figure_at(). Throws as `use` does.
int with_own_figure(const std::filesystem::path& path, const std::vector<std::string>& folders,
                    const Environment& environment,
                    const std::function<int(const Environment&, const std::string& name)>& use);

/// Returns the figure file in the folder of its figure, or "".
std::filesystem::path own_figure_in(const std::filesystem::path& folder);
/// Puts the file there, so that the figure can be resumed.
void keep_own_figure(const std::filesystem::path& path, const std::filesystem::path& folder, const std::string& name);

}  // namespace emergence::cli
