#pragma once
// The run that the window begins with, from its options and from what it remembers.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/options.h"
#include "app/open/opening.h"
#include "app/open/run_folder.h"

namespace emergence {

inline constexpr const char* kFirstPreset = "opening";  // chosen by measurement: see the handbook's findings

struct FirstRun {
    const ExperimentInfo* experiment = nullptr;
    /// Checked. If the options name an experiment or settings: the defaults, then the file or preset, then --set and
    /// --seeds; otherwise the last settings, if they still go together; at the very first start the preset "opening".
    Settings settings;
    /// The run goes to this step and pauses there. nullopt also if options change the file's settings.
    std::optional<int64_t> step;
    /// The file or preset whose title the window shows, the last run's too. nullopt also if its settings are changed.
    std::optional<SettingsFile> file;
    std::string preset;
    /// Of a figure file: `experiment`, with its figure.
    std::shared_ptr<const ExperimentInfo> with_figure;
    std::optional<ViewValues> view;
    /// The saved run to resume.
    std::optional<RunToOpen> saved;
    /// The window opens a sweep: its run waits until somebody starts it.
    bool waits = false;
    /// Other files and folders that were named, a sweep and a lesson: opened once the window is there.
    std::vector<std::filesystem::path> more;
};

/// Reads the first file once. Throws InputError.
FirstRun first_run(const Options& options, const Preferences& preferences, const FindExperiment& find);

}  // namespace emergence
