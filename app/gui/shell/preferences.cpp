#include "app/gui/shell/preferences.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <thread>
#include <utility>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"
#include "core/files/atomic_write.h"
#include "core/files/folders.h"
#include "core/settings/toml_reader.h"

namespace emergence {
namespace {

constexpr double kLongestSplit = 10000.0;
constexpr size_t kMostPictures = 100;
constexpr double kMostLessonSteps = 1000.0;
constexpr double kFurthestCorner = 100000.0;

// The number under a key; nullopt if it is missing, no number, or outside these limits.
std::optional<double> number_in(const toml::table& table, std::string_view key, double least, double most) {
    const auto found = table[key].value<double>();
    if (!found || !std::isfinite(*found) || *found < least || *found > most) return std::nullopt;
    return found;
}

// The table under a key; an empty table if there is none.
const toml::table& table_in(const toml::table& table, std::string_view key) {
    static const toml::table none;
    const toml::table* found = table[key].as_table();
    return found != nullptr ? *found : none;
}

// The table that holds a field.
const toml::table& table_of(const toml::table& root, const FieldInfo& field) {
    return field.group.empty() ? root : table_in(root, field.group);
}

// Takes every value that is present and allowed.
void read_values(const toml::table& root, Preferences& preferences) {
    Settings values = values_of(preferences);
    for (const FieldInfo& field : values.fields()) try {
            const toml::node* node = table_of(root, field).get(field.name);
            if (node == nullptr) continue;
            std::optional<FieldValue> value = scalar_in(*node);
            const auto number = node->value<double>();
            if (number && std::holds_alternative<double>(field.default_value)) value = *number;
            if (value) values.set(field.name, *value);
        } catch (const InputError&) {  // another version wrote this value
        }
    take_values(preferences, values);
    const toml::table& window = table_in(root, "window");
    const auto x = number_in(window, "x", -kFurthestCorner, kFurthestCorner);
    const auto y = number_in(window, "y", -kFurthestCorner, kFurthestCorner);
    if (x && y) preferences.window.corner = {static_cast<int>(*x), static_cast<int>(*y)};
}

void read_settings(const toml::table& table, Preferences& preferences) {
    for (const auto& [experiment, node] : table) {
        const toml::table* fields = node.as_table();
        if (fields == nullptr) continue;
        auto& values = preferences.settings[std::string(experiment.str())];
        for (const auto& [name, value] : *fields)
            if (const auto found = scalar_in(value)) values[std::string(name.str())] = *found;
    }
}

std::vector<std::string> read_texts(const toml::table& table, std::string_view key, size_t most) {
    std::vector<std::string> texts;
    if (const toml::array* array = table[key].as_array())
        for (const toml::node& node : *array)
            if (const auto text = node.value_exact<std::string>(); text && texts.size() < most) texts.push_back(*text);
    return texts;
}

toml::array array_of(const std::vector<std::string>& texts) {
    toml::array array;
    for (const std::string& text : texts)
        if (is_utf8(text)) array.push_back(text);
    return array;
}

void read_stagings(const toml::table& table, Preferences& preferences) {
    for (const auto& [name, node] : table) {
        const toml::table* lists = node.as_table();
        if (lists == nullptr) continue;
        Staging staging{read_texts(*lists, "stage", kMostPictures), read_texts(*lists, "wings", kMostPictures),
                        read_texts(*lists, "controls", kMostPictures)};
        if (!staging.stage.empty()) preferences.stagings[std::string(name.str())] = std::move(staging);
    }
}

toml::table written_stagings(const Preferences& preferences) {
    toml::table all;
    for (const auto& [name, staging] : preferences.stagings)
        all.insert_or_assign(name, toml::table{{"stage", array_of(staging.stage)},
                                               {"wings", array_of(staging.wings)},
                                               {"controls", array_of(staging.controls)}});
    return all;
}

toml::table& make_table(toml::table& table, std::string_view key) {
    if (table[key].as_table() == nullptr) table.insert_or_assign(key, toml::table());
    return *table[key].as_table();
}

void write_values(const Preferences& preferences, toml::table& root) {
    const Settings values = values_of(preferences);
    for (const FieldInfo& field : values.fields()) {
        toml::table& table = field.group.empty() ? root : make_table(root, field.group);
        const auto* text = std::get_if<std::string>(&values.value(field.name));
        if (text != nullptr && !is_utf8(*text)) continue;
        std::visit([&](const auto& value) { table.insert_or_assign(field.name, value); }, values.value(field.name));
    }
    if (!preferences.window.corner) return;
    toml::table& window = make_table(root, "window");
    window.insert_or_assign("x", preferences.window.corner->first);
    window.insert_or_assign("y", preferences.window.corner->second);
}

std::string key_text(std::string_view key) {
    const bool bare =
        !key.empty() && all_of(key, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
    return bare ? std::string(key) : quoted_toml(key);
}

// Writes numbers as people do, because toml++ prints all seventeen digits.
void emit(std::ostream& out, const toml::table& table, const std::string& path) {
    for (const auto& [key, node] : table) {
        if (node.is_table()) continue;
        out << key_text(key.str()) << " = ";
        if (const auto scalar = scalar_in(node))
            out << toml_value(*scalar) << "\n";
        else
            out << toml::node_view<const toml::node>(node) << "\n";
    }
    for (const auto& [key, node] : table) {
        const toml::table* inner = node.as_table();
        if (inner == nullptr) continue;
        const std::string name = path.empty() ? key_text(key.str()) : path + "." + key_text(key.str());
        out << "\n[" << name << "]\n";
        emit(out, *inner, name);
    }
}

// Merges map entries that were added, changed or removed. If both sides changed one, `choose(mine, theirs)` decides.
template <class T, class Choose>
void take_changes(std::map<std::string, T>& all, const std::map<std::string, T>& mine,
                  const std::map<std::string, T>& base, Choose&& choose) {
    for (const auto& [name, value] : mine) {
        const auto before = base.find(name);
        if (before != base.end() && before->second == value) continue;
        const auto there = all.find(name);
        all[name] = there == all.end() ? value : choose(value, there->second);
    }
    for (const auto& [name, value] : base)
        if (const auto there = all.find(name); !mine.contains(name) && there != all.end() && there->second == value)
            all.erase(there);
}

namespace fs = std::filesystem;

constexpr size_t kMostBytes = size_t{1} << 20;
constexpr double kQuietSeconds = 1.0;  // a dragged slider must not write in every frame
constexpr double kTryAgain = 30.0;     // seconds after a failure
constexpr int kMostDamaged = 1000;

std::string text_in(const fs::path& path) {
    const std::vector<std::byte> bytes = read_file(path, kMostBytes);
    return std::string(as_text(bytes));
}

// Returns the new name of a damaged file; "" if it could not be renamed.
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

// Runs on its own thread. Another window may have written the file since.
PreferencesFile::Written write_preferences(const fs::path& path, const Preferences& mine, const Preferences& base) {
    constexpr std::chrono::milliseconds kPatience{5000};
    try {
        make_folder(path.parent_path());
        const auto lock = FolderLock::take(path.parent_path(), kPatience);
        std::string text = is_there(path) ? text_in(path) : "";
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

int threads_of(const Preferences& preferences) {
    if (preferences.threads > 0) return preferences.threads;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void Preferences::fields(Fields& f) {
    f.choice(look.theme, {{"dark", Theme::dark}, {"light", Theme::light}}, "theme", "Theme", "Dark or light.");
    f(look.ui_scale, "ui_scale", "Type and controls",
      "1 fits the window and the display's own scale. Never larger than the window has room for.")
        .range(static_cast<double>(kSmallestUiScale), static_cast<double>(kLargestUiScale));
    f(threads, "threads", "Threads (0: automatic)",
      "Seeds are shared among them; the numbers are the same with any count. Automatic: one a processor, one fewer "
      "while frames are late.")
        .range(0, kMostThreads);
    f(autosave_seconds, "autosave", "Save every (0: never)",
      "So often the whole run is written into a folder of its own; after a crash the window offers to go on with it. "
      "Training does not wait for it. A run that is shorter leaves nothing.")
        .log_range(0, kLongestAutosave)
        .unit("s");
    f(export_folder, "export_folder", "", "Where exports go; empty: emergence-figures in the home folder.");
    f.group("layout");
    f(settings_open, "settings", "", "The column of settings is open.");
    f(splits.left, "left", "", "Width of the column of settings, of 1600; 0: as the layout chooses.")
        .range(0.0, kLongestSplit);
    f(splits.right, "right", "", "The same of the right column.").range(0.0, kLongestSplit);
    f.group("window");
    f(window.width, "width", "", "Pixels; x and y are the upper left corner.").range(kSmallestWidth, kLargestSide);
    f(window.height, "height", "", "Pixels.").range(kSmallestHeight, kLargestSide);
    f(window.maximised, "maximised", "", "The window fills the screen.");
    f.group("last");
    f(experiment, "experiment", "", "The last one.");
    f(preset, "preset", "", "The one it was opened from; empty for none.");
    f(steps_per_second, "pace", "", "Steps a second; 0: as fast as it goes.").range(0.0, 1e9);
}

Settings values_of(const Preferences& preferences) {
    static const auto standard = std::make_shared<const FieldTable>(fields_of<Preferences>());
    Preferences copy = preferences;
    Fields present;
    copy.fields(present);
    Settings values(standard);
    for (const FieldInfo& field : present.table()) try {
            values.set(field.name, field.default_value);
        } catch (const InputError&) {  // no longer allowed: keeps the default
        }
    return values;
}

void take_values(Preferences& preferences, const Settings& values) {
    Fields fields(values);
    preferences.fields(fields);
}

Preferences parse_preferences(std::string_view text, const std::string& source) {
    const toml::table root = parse_toml(text, source, true);  // invalid values keep their defaults
    Preferences preferences;
    read_values(root, preferences);
    preferences.recent = read_texts(root, "recent", kMostRecent);
    for (const auto& [name, node] : table_in(root, "lessons"))
        if (const auto steps = number_in(table_in(root, "lessons"), name.str(), 0.0, kMostLessonSteps))
            preferences.lessons[std::string(name.str())] = static_cast<int64_t>(*steps);
    read_settings(table_in(root, "settings"), preferences);
    read_stagings(table_in(root, "stages"), preferences);
    return preferences;
}

std::string preferences_to_toml(const Preferences& preferences, std::string_view previous) {
    toml::table root;
    try {
        root = parse_toml(previous, "", true);
    } catch (const InputError&) {
        // The old text is not TOML, so nothing in it can be kept.
    }
    write_values(preferences, root);
    root.insert_or_assign("recent", array_of(preferences.recent));
    root.insert_or_assign("stages", written_stagings(preferences));
    toml::table lessons;
    for (const auto& [name, steps] : preferences.lessons) lessons.insert_or_assign(name, steps);
    root.insert_or_assign("lessons", std::move(lessons));
    toml::table& settings = make_table(root, "settings");
    for (const auto& [experiment, values] : preferences.settings) {
        toml::table fields;
        for (const auto& [name, value] : values)
            std::visit([&, &name = name](const auto& v) { fields.insert_or_assign(name, v); }, value);
        settings.insert_or_assign(experiment, std::move(fields));
    }
    std::ostringstream out;
    out << "# What the window of Emergence keeps between two starts. It may be deleted.\n";
    emit(out, root, "");
    return out.str();
}

Preferences merged(const Preferences& mine, const Preferences& base, const Preferences& theirs) {
    Preferences all = theirs;
    const Settings now = values_of(mine), before = values_of(base);
    Settings values = values_of(theirs);
    for (const FieldInfo& field : now.fields())
        if (now.value(field.name) != before.value(field.name)) values.set(field.name, now.value(field.name));
    take_values(all, values);
    if (mine.window.corner != base.window.corner) all.window.corner = mine.window.corner;
    if (mine.recent != base.recent) all.recent = mine.recent;
    const auto ours = [](const auto& own, const auto&) { return own; };
    take_changes(all.settings, mine.settings, base.settings, ours);
    take_changes(all.stagings, mine.stagings, base.stagings, ours);
    // Progress in lessons never goes back.
    take_changes(all.lessons, mine.lessons, base.lessons,
                 [](int64_t own, int64_t other) { return std::max(own, other); });
    return all;
}

void recall(const Preferences& preferences, const std::string& experiment, Settings& settings) {
    const auto found = preferences.settings.find(experiment);
    if (found == preferences.settings.end()) return;
    for (const auto& [name, value] : found->second) {
        if (!settings.has(name)) continue;
        try {
            settings.set(name, value);
        } catch (const InputError&) {
            // The field's range or type has changed since, so the default stays.
        }
    }
}

void remember(Preferences& preferences, const std::string& experiment, const Settings& settings) {
    preferences.experiment = experiment;
    auto& values = preferences.settings[experiment];
    values.clear();
    for (const FieldInfo& field : settings.fields()) values[field.name] = settings.value(field.name);
}

std::optional<fs::path> preferences_folder() {
    // The XDG specification says that relative paths are ignored.
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
        // The file may be intact, so leave it alone.
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
    // The deferred policy covers a system that starts no further thread.
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
    if (contains(said_, sentence)) return;
    said_.push_back(sentence);
    notices_.push_back(sentence);
}

std::vector<std::string> PreferencesFile::take_notices() { return std::exchange(notices_, {}); }

}  // namespace emergence
