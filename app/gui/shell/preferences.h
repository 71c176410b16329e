#pragma once
// What the window keeps between two starts, and its form in a file: what Preferences::fields() declares, a group a
// table, and beside it
//
//     recent = ["/home/a/run"]      files and folders that were opened, the last one first
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

struct Preferences {
    Look look;
    Splits splits;
    bool settings_open = false;  // the column of settings
    WindowPlace window;
    int threads = 0;                  // threads that train; 0: as many as the machine has
    int autosave_seconds = 30;        // seconds between two saves of the run; 0: never
    std::string export_folder;        // "" if the user chose none
    std::vector<std::string> recent;  // opened files and folders, the last one first
    std::string experiment;           // the last experiment; "" for none
    std::string preset;               // the preset it was opened from; "" for none
    double steps_per_second = 250.0;  // 0: as fast as it goes
    /// The last settings of each experiment, by its name: fields and values.
    std::map<std::string, std::map<std::string, FieldValue>> settings;

    /// The number of steps of each shipped lesson whose answer the user has seen.
    std::map<std::string, int64_t> lessons;

    /// The pictures that the user brought on stage, by preset or experiment.
    std::map<std::string, Staging> stagings;

    /// Declares every single value once. The file, the merging, the dialog (fields with a label) and the handbook
    /// follow.
    void fields(Fields& f);
    bool operator==(const Preferences&) const = default;
};

/// The single values as settings whose defaults are those of a first start, and the way back.
Settings values_of(const Preferences& preferences);
void take_values(Preferences& preferences, const Settings& values);

/// The number of threads that train.
int threads_of(const Preferences& preferences);

/// Reads a file of preferences. Missing, unknown and invalid values keep their defaults. Throws InputError if the text
/// is not TOML.
Preferences parse_preferences(std::string_view text, const std::string& source);

/// Writes the preferences as TOML. Unknown entries of `previous`, the text to be replaced, are kept.
std::string preferences_to_toml(const Preferences& preferences, std::string_view previous);

/// Merges the preferences of two windows: returns `theirs` with everything that `mine` has changed since `base`.
/// Lessons, settings and stages are merged by name.
Preferences merged(const Preferences& mine, const Preferences& base, const Preferences& theirs);

/// Puts an experiment's last values into `settings`, except for removed fields and values that are no longer allowed.
void recall(const Preferences& preferences, const std::string& experiment, Settings& settings);
void remember(Preferences& preferences, const std::string& experiment, const Settings& settings);

// Keeps the preferences in a file. They are read once and written shortly after a change, on a thread of their own
// because disks can be slow.

/// $XDG_CONFIG_HOME/emergence, or ~/.config/emergence; nullopt without a home folder.
std::optional<std::filesystem::path> preferences_folder();

class PreferencesFile {
  public:
    /// Without a folder nothing is read or written. If threads are not allowed, the calling thread writes.
    explicit PreferencesFile(std::optional<std::filesystem::path> folder, bool threads_allowed = true);
    ~PreferencesFile();

    /// Returns the stored preferences, or defaults if there is no file. A damaged file is renamed to
    /// preferences.toml.damaged-N, and a notice says so.
    Preferences load();

    /// Call this often. Preferences that differ from the file and have not changed for a second (`now` is in seconds)
    /// are merged with the file, which another window may have changed, and written. A failed write is repeated after
    /// half a minute.
    void keep(const Preferences& preferences, double now);
    /// Writes changed preferences now and waits until they are written.
    void flush(const Preferences& preferences);

    /// Sentences for the user about failed reads and writes. Each sentence is returned once.
    std::vector<std::string> take_notices();

    /// The result of a write.
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
    Preferences written_;  // what this window read or wrote last
    Preferences before_;   // the previous value of written_, while a write is running
    Preferences latest_;
    double changed_at_ = 0.0, asked_at_ = 0.0;
    std::future<Written> writing_;
    std::vector<std::string> notices_;
    std::vector<std::string> said_;
};

}  // namespace emergence
