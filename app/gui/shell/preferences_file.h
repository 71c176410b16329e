#pragma once
// Keeps the preferences in a file: read once, written a moment after they have changed, on a thread of their
// own because a disk can be slow.

#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell/preferences.h"

namespace emergence {

/// The platform's place for them: $XDG_CONFIG_HOME/emergence, or ~/.config/emergence. Nothing where there is
/// no home.
std::optional<std::filesystem::path> preferences_folder();

class PreferencesFile {
  public:
    /// Nothing for `folder`: nothing is read and nothing kept. If threads are not allowed, this one writes.
    explicit PreferencesFile(std::optional<std::filesystem::path> folder, bool threads_allowed = true);
    ~PreferencesFile();
    PreferencesFile(const PreferencesFile&) = delete;
    PreferencesFile& operator=(const PreferencesFile&) = delete;

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
