#pragma once
// What the window keeps between two starts, and its form in a file: what Preferences::fields() declares, a group a
// table, and beside it
//
//     recent = ["/home/a/run"]      files and folders that were opened, the last one first
//     terms = ["MSVE"]              that were explained where they were met first
//     [window]      x = 10, y = 20
//     [lessons]     tour = 3        steps of each shipped lesson whose answer was shown
//     [stages.opening]   stage = ["msve"], wings = ["P0", "Q0"]
//     [settings.td] num_layers = 3, ...    what each experiment was last set to

#include <filesystem>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/shell/layout.h"
#include "app/gui/shell/theme.h"
#include "app/gui/shell/window.h"
#include "core/settings/fields.h"
#include "core/settings/toml.h"

namespace emergence {

inline constexpr int kMostThreads = 256;
inline constexpr int kLongestAutosave = 86400;
inline constexpr size_t kMostRecent = 10;
inline constexpr size_t kMostTerms = 1000;

struct Preferences {
    Look look;
    ColorMaps maps;  // of matrices
    Splits splits;
    bool settings_open = false;  // their column
    WindowPlace window;
    int threads = 0;                  // that train; 0: one less than the machine has
    int autosave_seconds = 30;        // between two times that the run is kept; 0: never
    std::string export_folder;        // "" where none was chosen
    std::vector<std::string> recent;  // files and folders that were opened, the last one first
    std::string experiment;           // the last one; "" for none
    std::string preset;               // that it was opened from; "" for none
    double steps_per_second = 250.0;  // 0: as fast as it goes
    /// What each experiment was last set to, by its name: fields and their values.
    std::map<std::string, std::map<std::string, FieldValue>> settings;

    /// How many steps of each shipped lesson the user has seen answered, by its name.
    std::map<std::string, int64_t> lessons;

    /// The terms of the glossary that were explained where they were met first.
    std::vector<std::string> terms;

    /// The pictures that the user brought on stage, by the preset or the experiment.
    std::map<std::string, Staging> stagings;

    /// All single values, declared once. File, merging, dialog (those with a label) and handbook follow.
    void fields(Fields& f);
    bool operator==(const Preferences&) const = default;
};

/// The single values as settings, whose defaults are those of a first start; and back.
Settings values_of(const Preferences& preferences);
void take_values(Preferences& preferences, const Settings& values);

/// How many threads are to train.
int threads_of(const Preferences& preferences);

/// Reads a file of preferences. What is missing, unknown or not possible has its default. Throws InputError
/// where the text is not TOML.
Preferences parse_preferences(std::string_view text, const std::string& source);

/// The same as text. What `previous`, the text that it replaces, has beyond what is known here is kept.
std::string preferences_to_toml(const Preferences& preferences, std::string_view previous);

/// What two windows have made of the same preferences: `theirs`, with what `mine` has changed since `base`. Lessons,
/// settings and stages are merged by name, recent files are all there.
Preferences merged(const Preferences& mine, const Preferences& base, const Preferences& theirs);

/// Puts what was last set into `settings`, leaving out fields that are gone and values that are no longer
/// allowed.
void recall(const Preferences& preferences, const std::string& experiment, Settings& settings);
void remember(Preferences& preferences, const std::string& experiment, const Settings& settings);

// Keeps the preferences in a file: read once, written a moment after they have changed, on a thread of their
// own because a disk can be slow.

/// The platform's place for them: $XDG_CONFIG_HOME/emergence, or ~/.config/emergence. Nothing where there is
/// no home.
std::optional<std::filesystem::path> preferences_folder();

class PreferencesFile {
  public:
    /// Nothing for `folder`: nothing is read and nothing kept. If threads are not allowed, this one writes.
    explicit PreferencesFile(std::optional<std::filesystem::path> folder, bool threads_allowed = true);
    ~PreferencesFile();

    /// What was kept; defaults where there is no file. One that cannot be understood is renamed to
    /// preferences.toml.damaged-N, and a notice says so.
    Preferences load();

    /// To be called often: once the preferences have been the same for a second (`now` is in seconds), and differ from
    /// what was last read or written here, they are merged with the file, which another window may have changed, and
    /// written. After a failure they are written again half a minute later.
    void keep(const Preferences& preferences, double now);
    /// Writes them now, where they differ, and waits for it.
    void flush(const Preferences& preferences);

    /// Sentences for the user: what could not be read or written. Each is said once.
    std::vector<std::string> take_notices();

    /// How a writing ended.
    struct Written {
        bool saved = true;
        std::string notice = {};  // for the user
    };

  private:
    void start_writing(const Preferences& preferences);
    void collect(bool wait);
    void note(const std::string& sentence);

    std::filesystem::path path_;
    bool keeps_ = false;
    bool threads_allowed_ = true;
    Preferences written_;  // what this window last read or wrote
    Preferences before_;   // the same, before what is being written
    Preferences latest_;
    double changed_at_ = 0.0, asked_at_ = 0.0;
    std::future<Written> writing_;
    std::vector<std::string> notices_;
    std::vector<std::string> said_;
};

}  // namespace emergence
