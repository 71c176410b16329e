#pragma once
// What the window is started with, and the run that it begins with: from its options and from what it remembers.

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
    // These, where they are given, win over what was kept from the last start.
    std::optional<int> threads;
    std::optional<double> pace;  // steps a second; 0 is as fast as it goes
    std::optional<Theme> theme;
    std::optional<float> ui_scale;
    std::optional<std::pair<int, int>> size;  // pixels
    bool keeps_preferences = true;            // reads what was kept and keeps what changes
    bool threads_allowed = true;              // otherwise training and jobs take their turns with the window
    bool paused = false;
    int lesson_step = 1;                  // of a lesson that is opened
    std::optional<std::string> handbook;  // the page that is open at the start, "" for the first
    std::string screenshot;               // a file; "" for none
    double after = 5.0;                   // seconds
    bool trace = false;
};

/// What to do instead of opening the window: a text to print and the exit status.
struct Farewell {
    std::string text;
    int status = 0;
};

/// Reads the command line. Returns a Farewell for --help, --version and what is not understood.
std::optional<Farewell> read_options(int argc, const char* const* argv, Options& options);

/// The preferences, with what the options name put in their place.
Preferences with_options(Preferences preferences, const Options& options);

/// The same the other way round, for what is kept: where an option is still in force, and nobody has chosen
/// anything else meanwhile, what there was before it, `kept`.
Preferences without_options(Preferences present, const Options& options, const Preferences& kept);

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
