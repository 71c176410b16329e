#include "app/gui/shell/preferences_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "core/base/error.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytes = size_t{1} << 20;
constexpr double kQuietSeconds = 1.0;  // so that a slider being dragged does not write at every frame
constexpr double kTryAgain = 30.0;     // seconds after a failure
constexpr int kMostDamaged = 1000;

std::string text_in(const fs::path& path) {
    const std::vector<std::byte> bytes = read_file(path, kMostBytes);
    return std::string(as_text(bytes));
}

// The new name of a damaged file; "" if it could not be set aside.
std::string set_aside(const fs::path& path) {
    std::error_code error;
    for (int n = 1; n <= kMostDamaged; ++n) {
        const fs::path aside = path.string() + fmt::format(".damaged-{}", n);
        if (fs::exists(aside, error)) continue;
        fs::rename(path, aside, error);
        return error ? "" : aside.filename().string();
    }
    return "";
}

// Runs on its own thread. Another window may have written meanwhile.
PreferencesFile::Written write_preferences(const fs::path& path, const Preferences& mine, const Preferences& base) {
    constexpr std::chrono::milliseconds kPatience{5000};
    try {
        make_folder(path.parent_path());
        const auto lock = FolderLock::take(path.parent_path(), kPatience);
        std::error_code ignored;
        std::string text = fs::exists(path, ignored) ? text_in(path) : "";
        Preferences all = mine;
        PreferencesFile::Written written;
        try {
            if (!text.empty()) all = merged(mine, base, parse_preferences(text, path.string()));
        } catch (const InputError& damage) {
            const std::string aside = set_aside(path);
            if (aside.empty()) throw;
            written.notice = fmt::format("{}. The file is now {}.", damage.what(), aside);
        }
        write_file(path, preferences_to_toml(all, text), Links::follow);
        return written;
    } catch (const std::exception& error) {
        return {false, fmt::format("Preferences are not saved: {}", error.what())};
    }
}

}  // namespace

std::optional<fs::path> preferences_folder() {
    // The specification says that a relative path there is to be ignored.
    if (const char* config = std::getenv("XDG_CONFIG_HOME"); config != nullptr && fs::path(config).is_absolute())
        return fs::path(config) / "emergence";
    if (const auto home = home_folder()) return *home / ".config" / "emergence";
    return std::nullopt;
}

PreferencesFile::PreferencesFile(std::optional<fs::path> folder, bool threads_allowed)
    : keeps_(folder.has_value()), threads_allowed_(threads_allowed) {
    if (folder) path_ = *folder / "preferences.toml";
}

PreferencesFile::~PreferencesFile() { collect(true); }

Preferences PreferencesFile::load() {
    if (keeps_) remove_unfinished_files(path_.parent_path());
    std::error_code error;
    if (!keeps_ || !fs::exists(path_, error)) {
        if (error) note(fmt::format("{}: cannot be read ({}): defaults are used", path_.string(), error_text(error)));
        return {};
    }
    std::string text;
    try {
        text = text_in(path_);
    } catch (const std::exception& failure) {
        // It may be whole: it is left as it is.
        keeps_ = false;
        note(fmt::format("{} Defaults are used, and nothing is saved.", failure.what()));
        return {};
    }
    try {
        written_ = latest_ = parse_preferences(text, path_.string());
        return written_;
    } catch (const InputError& damage) {
        const std::string aside = set_aside(path_);
        keeps_ = !aside.empty();
        note(keeps_ ? fmt::format("{}. The file is now {}; defaults are used.", damage.what(), aside)
                    : fmt::format("{}. It could not be set aside: defaults are used, and nothing is saved.",
                                  damage.what()));
        return {};
    }
}

void PreferencesFile::keep(const Preferences& preferences, double now) {
    asked_at_ = now;
    collect(false);
    if (!keeps_) return;
    if (!(preferences == latest_)) {
        latest_ = preferences;
        changed_at_ = now;
    } else if (!(latest_ == written_) && now - changed_at_ >= kQuietSeconds && !writing_.valid()) {
        start_writing(preferences);
    }
}

void PreferencesFile::flush(const Preferences& preferences) {
    collect(true);
    if (!keeps_ || preferences == written_) return;
    start_writing(preferences);
    collect(true);
}

void PreferencesFile::start_writing(const Preferences& preferences) {
    before_ = std::exchange(written_, preferences);
    // Deferred, too, if the system starts no further thread.
    writing_ =
        std::async(threads_allowed_ ? std::launch::async | std::launch::deferred : std::launch::deferred,
                   [path = path_, mine = written_, base = before_] { return write_preferences(path, mine, base); });
}

void PreferencesFile::collect(bool wait) {
    if (!writing_.valid()) return;
    if (!wait && writing_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout) return;
    const Written written = writing_.get();
    if (!written.notice.empty()) note(written.notice);
    if (written.saved) return;
    written_ = before_;
    changed_at_ = asked_at_ + kTryAgain;
}

void PreferencesFile::note(const std::string& sentence) {
    if (std::find(said_.begin(), said_.end(), sentence) != said_.end()) return;
    said_.push_back(sentence);
    notices_.push_back(sentence);
}

std::vector<std::string> PreferencesFile::take_notices() { return std::exchange(notices_, {}); }

}  // namespace emergence
