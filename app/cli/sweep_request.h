#pragma once
// From a sweep as it was asked for on the command line to the sweep and its folder.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/export/page_format.h"
#include "core/lab/sweeps/sweep_run.h"

namespace emergence::cli {

/// Scores over a grid of fields.
struct SweepRequest {
    std::string file;  // a sweep, one of assets/sweeps by its name, the folder of one to resume, or an experiment
    std::vector<std::string> changes;  // "field=1,2,3", "field=0.1:1:5:log", "field=value"
    std::optional<std::string> preset;
    std::optional<std::string> score;
    std::optional<int> seeds;
    bool weights = false;         // each cell's are saved
    std::string x, y;             // the axes of the picture; "": as they are
    std::vector<std::string> at;  // "field=value": where the picture cuts through another axis
    std::optional<std::string> out;
    std::optional<int> threads;
    Existing existing = Existing::refuse;
    PageFormat page = {};
};

struct AskedSweep {
    SweepText text;
    std::filesystem::path folder;
};

/// The sweep of a file, a folder, assets/sweeps or, for an experiment's name, around its settings, with what --preset,
/// --set, --score, --seeds, --x, --y and --at change. Throws InputError.
AskedSweep sweep_asked_for(const SweepRequest& request, const FindExperiment& find, const Environment& environment);

}  // namespace emergence::cli
