#pragma once
// Recognises a path, a text or a preset's name, and starts a run from it. Both programs open everything here.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/lab/study.h"
#include "core/settings/fields.h"
#include "core/settings/toml.h"

namespace emergence {

enum class OpeningKind {
    run,            // a saved run, to be resumed
    sweep,          // a sweep, or the folder of one
    weights,        // weights of another program, without settings
    published_run,  // a run of the published code, whose weights begin
    picture,        // an exported figure with settings inside
    world,          // a Markov reward process of the user's own
    config,         // any other file with settings
    lesson,         // steps with texts and predictions
    figure,         // a figure file of the user's own
    preset,
    text,  // settings that somebody copied
};

/// What was found.
struct Opening {
    OpeningKind kind = OpeningKind::config;
    /// A name for messages: a file's name without its folder, a preset's name, or "the pasted text".
    std::string name;
    /// The path of the file, the folder of a run, or "" for a text.
    std::filesystem::path path;
    /// Not yet checked against an experiment's fields. Runs, sweeps and lessons have none. Weights have settings only
    /// if the file also opens as an experiment of its own.
    std::optional<SettingsFile> settings;
    /// For a figure file, the experiment with its figure.
    std::shared_ptr<const ExperimentInfo> experiment = {};
};

/// Finds out what lies at `path`, and reads its settings. Throws InputError, naming the file, if nothing there can be
/// opened.
Opening opening_at(const std::filesystem::path& path);
/// Reads a preset of the program's assets. Throws InputError if none has this name.
Opening opening_of_preset(const std::string& name);
/// Reads an argument of a command line, which is a path or, if nothing lies there, a preset's name. Throws InputError.
Opening opening_named(const std::string& path_or_preset);
/// Reads a copied text, which is a config from a file or an e-mail. Throws InputError, naming `name`, also for a text
/// that is empty or above 1 MiB.
Opening opening_of_text(const std::string& text, const std::string& name);

/// Removes the marks that e-mails, READMEs and chats put around a config: quotation marks at the beginning of lines,
/// fences.
std::string plain_config(const std::string& text);

/// The settings in which a run begins.
struct StartingPoint {
    const ExperimentInfo* experiment = nullptr;
    /// Checked.
    Settings settings;
    /// The run trains to this step and pauses there.
    std::optional<int64_t> step;
    std::optional<ViewValues> view;
};

/// The settings that the window shows now.
struct PresentSettings {
    const ExperimentInfo& experiment;
    const Settings& settings;
};

/// Checks a file's settings against the experiment that it names. Settings that the file omits have their defaults. If
/// the file keeps others (SettingsFile::keeps_others) and its own have an effect beside them, they have the values of
/// `present`. Throws InputError, naming the file.
StartingPoint starting_point(const SettingsFile& file, const FindExperiment& find,
                             const PresentSettings* present = nullptr);

/// A preset as lists show it.
struct PresetInfo {
    std::string name;
    /// The name if the preset has no title.
    std::string title;
    std::string description;
    std::string experiment;
    /// The heading above it.
    std::string group;
    /// Says why it cannot be read, or is "" if it can. An unreadable preset has only a name.
    std::string problem = {};
};
/// Lists the presets of a folder of assets. Those that its presets.toml names come first, by groups and in its order.
/// The others follow in the natural order of their names, with wang-2 before wang-10. Throws IoError.
std::vector<PresetInfo> presets_in(const std::filesystem::path& assets);

/// Where the pictures of an experiment stand by default: as in the preset of its name or, if there is none, as in its
/// first one.
Staging usual_staging(const std::string& experiment);

}  // namespace emergence
