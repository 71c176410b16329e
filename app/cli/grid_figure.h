#pragma once
// Figures made of many runs, from settings to files.

#include <filesystem>

#include "app/cli/commands.h"

namespace emergence::cli {

struct GridFigureJob {
    const ExperimentInfo& experiment;
    const FigureInfo& figure;
    Settings settings;  // checked
    int threads = 1;
    std::filesystem::path folder;          // made where it is missing
    bool check_claims = true;              // the settings are the preset's, of which the claims speak
    Existing existing = Existing::refuse;  // what is done with files that are in the folder already
    PageFormat page = {};                  // of the figure
    bool json = false;                     // the result as the last line
};

/// Runs the grid, showing progress and the time that is left; then writes config.toml, claims.toml and the
/// figure, and prints the claims. Returns an exit code: kFailure where one fails or the user stopped it,
/// kDiverged where runs are missing. Throws InputError and IoError.
int run_grid_figure(const GridFigureJob& job, const Environment& environment);

}  // namespace emergence::cli
