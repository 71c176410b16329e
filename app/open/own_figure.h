#pragma once
// A figure file of the user's own (core/experiments/figure_file.h), beside the figures of its experiment.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/lab/study.h"
#include "core/settings/toml.h"

namespace emergence {

struct OwnFigure {
    std::string name;
    /// The file's experiment. Its last figure is the file's.
    std::shared_ptr<const ExperimentInfo> experiment;
    /// The settings of the figure's first run.
    SettingsFile settings;
};

/// Whether the path is such a file.
bool is_own_figure(const std::filesystem::path& path);

/// Reads and checks it. It draws the file's runs or those saved in `folders`, and `notices` receives what is to be said
/// of them. Throws InputError, with file and line, if something in the file is wrong or a shipped figure has its name.
OwnFigure own_figure_at(const std::filesystem::path& path, const std::vector<std::string>& folders,
                        const FindExperiment& find, const std::filesystem::path& assets,
                        std::vector<std::string>& notices);

}  // namespace emergence
