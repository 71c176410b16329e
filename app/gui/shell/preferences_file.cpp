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
constexpr int kMostDamaged = 1000;

// Runs on its own thread; returns what went wrong, or "".
std::string write_preferences(const fs::path& path, const std::string& text) {
    try {
        make_folder(path.parent_path());
        write_file(path, text);
        return "";
    } catch (const std::exception& error) {
        return error.what();
    }
}

std::string text_in(const fs::path& path) {
    const std::vector<std::byte> bytes = read_file(path, kMostBytes);
    return std::string(as_text(bytes));
}

}  // namespace

std::optional<fs::path> preferences_folder() {
    // The specification says that a relative path there is to be ignored.
    if (const char* config = std::getenv("XDG_CONFIG_HOME");
        config != nullptr && fs::path(config).is_absolute())
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
    std::error_code error;
    if (!keeps_ || !fs::exists(path_, error)) {
        if (error)
            note(fmt::format("{}: cannot be read ({}): defaults are used", path_.string(), error.message()));
        return {};
    }
    std::string text;
    try {
        text = text_in(path_);
    } catch (const std::exception& failure) {
        // It may be whole: it is left as it is.
        keeps_ = false;
        note(fmt::format("{} Defaults are used, and nothing is kept.", failure.what()));
        return {};
    }
    try {
        written_ = latest_ = parse_preferences(text, path_.string());
        text_ = std::move(text);
        return written_;
    } catch (const InputError& damage) {
        set_aside(damage.what());
        return {};
    }
}

void PreferencesFile::set_aside(const std::string& reason) {
    std::error_code error;
    for (int n = 1; n <= kMostDamaged; ++n) {
        const fs::path aside = path_.string() + fmt::format(".damaged-{}", n);
        if (fs::exists(aside, error)) continue;
        fs::rename(path_, aside, error);
        if (error) break;
        note(fmt::format("{}. The file is now {}; defaults are used.", reason, aside.filename().string()));
        return;
    }
    keeps_ = false;
    note(fmt::format("{}. It could not be set aside: defaults are used, and nothing is kept.", reason));
}

void PreferencesFile::keep(const Preferences& preferences, double now) {
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
    text_ = preferences_to_toml(preferences, text_);
    written_ = preferences;
    writing_ = std::async(threads_allowed_ ? std::launch::async : std::launch::deferred,
                          [path = path_, text = text_] { return write_preferences(path, text); });
}

void PreferencesFile::collect(bool wait) {
    if (!writing_.valid()) return;
    if (!wait && writing_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout) return;
    const std::string trouble = writing_.get();
    if (!trouble.empty()) note(fmt::format("Preferences are not kept: {}", trouble));
}

void PreferencesFile::note(const std::string& sentence) {
    if (std::find(said_.begin(), said_.end(), sentence) != said_.end()) return;
    said_.push_back(sentence);
    notices_.push_back(sentence);
}

std::vector<std::string> PreferencesFile::take_notices() { return std::exchange(notices_, {}); }

}  // namespace emergence
