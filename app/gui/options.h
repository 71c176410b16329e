#pragma once
// The window's options, and the first run that follows from them and from the preferences.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/shell/preferences.h"
#include "app/open/opening.h"
#include "app/open/run_folder.h"

namespace emergence {

struct Options {
    std::vector<std::string> files;        // paths to open; the first may be a preset's name
    std::string experiment;                // "" for none
    std::string preset;                    // "" for none
    std::vector<std::string> assignments;  // field=value
    std::optional<int64_t> seeds;
    // These override the preferences if they are given.
    std::optional<int> threads;
    std::optional<double> pace;  // steps per second; 0: as fast as possible
    std::optional<Theme> theme;
    std::optional<float> ui_scale;
    std::optional<std::pair<int, int>> size;  // pixels
    bool keeps_preferences = true;            // reads and writes preferences
    bool threads_allowed = true;              // false: training and jobs run in turns on the window's thread
    bool paused = false;
    int lesson_step = 1;     // counted from 1
    std::string screenshot;  // a file; "" for none
    double after = 5.0;      // seconds
    bool trace = false;
};

/// What to print instead of opening the window, and the exit status.
struct Farewell {
    std::string text;
    int status = 0;
};

/// Reads the command line. Returns a Farewell for --help, --version and invalid options.
std::optional<Farewell> read_options(int argc, const char* const* argv, Options& options);

/// The preferences, overridden by the options.
Preferences with_options(Preferences preferences, const Options& options);

/// The reverse for saving: an overridden value that nobody has changed since gets back its value in `kept`.
Preferences without_options(Preferences present, const Options& options, const Preferences& kept);

inline constexpr const char* kFirstPreset = "opening";  // chosen by measurement, see the handbook's findings

struct FirstRun {
    const ExperimentInfo* experiment = nullptr;
    /// Checked. If the options name an experiment or settings: the defaults, then the file or preset, then --set and
    /// --seeds. Otherwise the last settings if they are still valid, and at the very first start the preset "opening".
    Settings settings;
    /// The run goes to this step and pauses there. nullopt also if options change the file's settings.
    std::optional<int64_t> step;
    /// The file or preset whose title the window shows. nullopt also if its settings were changed.
    std::optional<SettingsFile> file;
    std::string preset;
    /// Owns `experiment` and its figure if the file is a figure file.
    std::shared_ptr<const ExperimentInfo> with_figure;
    std::optional<ViewValues> view;
    /// The saved run to resume, if one was named.
    std::optional<RunToOpen> saved;
    /// The window opens a sweep, so its run waits until the user starts it.
    bool waits = false;
    /// Further named files, a sweep or a lesson. They are opened once the window is there.
    std::vector<std::filesystem::path> more;
};

/// Reads the first file. Throws InputError.
FirstRun first_run(const Options& options, const Preferences& preferences, const FindExperiment& find);

}  // namespace emergence
