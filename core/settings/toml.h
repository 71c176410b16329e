#pragma once
// Settings as TOML: presets, config files, and what is embedded in figures.
//
//     experiment = "td"
//     version = "0.2.0"             # of the program that wrote it, and its commit; optional, as all but
//     experiment commit = "1f2d162ab3" title = "Figure 2" description = "..." figure = "wang-2"             #
//     the picture that the file is of step = 4000                   # the moment that it shows: reopened, a
//     run goes there and pauses [settings] num_layers = 3                # fields by the names that `info`
//     lists; those left out keep their defaults [view] smoothing = 0.6               # how a window showed
//     it; unknown keys are ignored, and all by the command line

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/settings/fields.h"

namespace emergence {

/// How a window showed a run, by names that the window gives.
using ViewValues = std::map<std::string, FieldValue>;

/// A file of settings as it stands there: not yet held against an experiment's fields.
struct SettingsFile {
    struct Entry {
        std::string name;
        FieldValue value;
        uint32_t line = 0;  // 0 where the source has no lines
        uint32_t column = 0;
    };
    std::string source;  // the file's name, for messages
    std::string experiment;
    std::string title;
    std::string description;
    std::string version, commit;     // "" if the file does not say
    std::string figure;              // ""
    std::optional<int64_t> step;     // never negative
    std::vector<Entry> entries;      // in the file's order
    bool keeps_others = false;       // a window of that experiment keeps the settings that it does not name
    std::optional<ViewValues> view;  // what it has of [view] that is a number, a flag or a text
};

/// `text` as a TOML string, in quotes.
std::string quoted_toml(std::string_view text);
/// A field's value as TOML, which reads back with its type.
std::string toml_value(const FieldValue& value);

/// Which picture of which moment settings are embedded in; what is absent is not written.
struct PictureOrigin {
    std::string figure;
    std::optional<int64_t> step;
    std::optional<ViewValues> view = {};
    bool short_form = false;  // fields that have their default are left out
};

/// Every field of `settings`, in their order, below the experiment's name and the version. Reads back to the
/// same settings.
std::string settings_to_toml(const std::string& experiment, const Settings& settings,
                             const PictureOrigin& origin = {});

/// Throws InputError, naming file, line and column, where `text` is not TOML or holds anything but the above.
SettingsFile parse_settings(std::string_view text, const std::string& source);
/// The same from a file. Throws InputError also where it cannot be read.
SettingsFile read_settings(const std::filesystem::path& path);

/// Puts the file's entries into `settings`; those it does not name stay. A whole number serves as a double.
/// Throws InputError, naming file, line and column, for an unknown field (with the nearest name), a wrong
/// type or a value out of range; `settings` are unchanged then.
void apply(const SettingsFile& file, Settings& settings);

}  // namespace emergence
