#pragma once
// Settings as TOML: presets, config files, and what is embedded in figures.
//
//     experiment = "td"             # required, all else is optional
//     version = "0.2.0"             # of the program that wrote the file
//     commit = "1f2d162ab3"         # of that program
//     title = "Figure 2"
//     description = "..."
//     figure = "wang-2"             # the picture in the file
//     runs = ["L = 1: num_layers = 1"]  # for a figure of several runs: what each changes in the settings
//     step = 4000                   # the step that the picture shows: a run opened from the file pauses there
//
//     [settings]                    # fields, by the names that `info` lists; omitted ones keep their defaults
//     num_layers = 3
//
//     [view]                        # the window's view; it ignores unknown keys, the command line ignores all
//     smoothing = 0.6
//     stage = ["P0", "Q0"]          # see Staging below

#include <filesystem>

#include "core/settings/fields.h"

namespace emergence {

using ViewValue = std::variant<bool, int64_t, double, std::string, std::vector<std::string>>;
/// The window's view of a run, by names that the window chooses.
using ViewValues = std::map<std::string, ViewValue>;

/// A parsed file of settings, not yet checked against an experiment's fields.
struct SettingsFile {
    struct Entry {
        std::string name;
        FieldValue value;
        uint32_t line = 0, column = 0;  // 0 if the source has no lines
    };
    std::string source;  // the file's name, for messages
    std::string experiment;
    std::string title, description, version, commit, figure;  // each is "" if the file does not give it
    std::optional<int64_t> step;                              // never negative
    std::vector<Entry> entries;                               // in the file's order
    /// If true, a window that already shows the experiment keeps the settings that the file omits.
    bool keeps_others = false;
    std::optional<ViewValues> view;  // the numbers, flags, texts and lists of texts of [view]
};

/// `text` as a quoted TOML string. A byte that is not UTF-8 becomes U+FFFD: TOML has no other form for it.
std::string quoted_toml(std::string_view text);
/// A field's value as TOML that reads back with the same type.
std::string toml_value(const FieldValue& value);
std::string toml_value(const ViewValue& value);

/// The picture and the step for which settings are written. Absent members are not written.
struct PictureOrigin {
    std::string figure;
    std::optional<int64_t> step;
    std::optional<ViewValues> view = {};
    std::vector<std::string> runs = {};  // what each run of a figure changes in the settings, for readers only
    bool short_form = false;             // omits the commit and the fields that have their default
    /// Writes whole paths, for this machine; otherwise paths are as in Settings::shown().
    bool with_places = false;
};

/// The TOML of `settings`: the experiment's name and the version, then every field in order. Reads back to the same
/// settings.
std::string settings_to_toml(const std::string& experiment, const Settings& settings, const PictureOrigin& origin = {});

/// Parses the format above. Throws InputError, naming file, line and column, if `text` is not TOML or holds anything
/// else.
SettingsFile parse_settings(std::string_view text, const std::string& source);
/// The same from a file. Throws InputError also if the file cannot be read.
SettingsFile read_settings(const std::filesystem::path& path);

/// Puts the file's entries into `settings` and leaves other fields unchanged. A whole number serves as a double.
/// Throws InputError, naming file, line and column, for an unknown field (with the nearest name), a wrong type or a
/// value out of range; then no field changes.
void apply(const SettingsFile& file, Settings& settings);

struct Staging {
    // Ids of pictures; see core/lab/views/run_views.h for those that stand for several.
    std::vector<std::string> stage;
    std::vector<std::string> wings;
    std::vector<std::string> controls;  // names of fields

    bool empty() const { return stage.empty() && wings.empty() && controls.empty(); }
    bool operator==(const Staging&) const = default;
};

/// The part of [view] about it; empty if it is missing or not a list.
Staging staging_in(const ViewValues& view);
/// Writes the lists that are not empty, and removes the others.
void write_staging(const Staging& staging, ViewValues& view);

}  // namespace emergence
