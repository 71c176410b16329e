#include "app/open/opening.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

#include "app/open/own_figure.h"
#include "app/open/run_folder.h"
#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/experiments/in_context_td/settings/published_run.h"
#include "core/experiments/registry.h"
#include "core/files/folders.h"
#include "core/files/text.h"
#include "core/lab/store/checkpoint.h"
#include "core/lab/sweeps/sweep.h"
#include "core/lessons/lesson.h"
#include "core/settings/fields.h"
#include "core/settings/toml_reader.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

std::string name_of(const fs::path& path) {
    return (path.has_filename() ? path : path.parent_path()).filename().string();
}

OpeningKind kind_of(const fs::path& path, const SettingsFile& file) {
    if (!published_run_folder(path).empty()) return OpeningKind::published_run;
    if (file.keeps_others) return OpeningKind::world;
    const std::string extension = path.extension().string();
    const bool picture = extension == ".pdf" || extension == ".svg" || extension == ".png";
    return picture ? OpeningKind::picture : OpeningKind::config;
}

// Weights of another program need an experiment that begins with them, unless they belong to a network that has one.
Opening weights_at(const fs::path& path) {
    Opening opening{OpeningKind::weights, name_of(path), path, std::nullopt};
    try {
        opening.settings = settings_of_file(path);
    } catch (const InputError&) {
    }
    return opening;
}

bool is_lesson(const fs::path& path) {
    return path.extension() == ".toml" && is_file(path) && looks_like_lesson(read_text(path));
}

// Whether everything that the file names has an effect.
bool all_act(const SettingsFile& file, const Settings& settings) {
    return all_of(file.entries, [&](const SettingsFile::Entry& entry) {
        return !settings.has(entry.name) || why_idle(settings, settings.info(entry.name)).empty();
    });
}

// Whether Emergence writes folders of this kind. Another program may still have written this one, and a folder of
// worlds may hold links of the user's.
bool is_ours(const fs::path& path) {
    return is_folder(path) && (run_folder_at(path) || sweep_file_at(path) || is_there(path / "config.toml"));
}

}  // namespace

Opening opening_at(const fs::path& path) {
    const std::string name = name_of(path);
    if (is_ours(path)) refuse_links_out(path);
    if (const auto folder = run_folder_at(path)) return {OpeningKind::run, name, *folder, std::nullopt};
    if (sweep_file_at(path)) return {OpeningKind::sweep, name, path, std::nullopt};
    if (is_lesson(path)) return {OpeningKind::lesson, name, path, std::nullopt};
    if (is_own_figure(path)) {
        std::vector<std::string> notices;
        OwnFigure own = own_figure_at(path, {}, find_experiment, assets_folder(), notices);
        return {OpeningKind::figure, name, path, std::move(own.settings), std::move(own.experiment)};
    }
    if (published_run_folder(path).empty() && holds_bare_weights(path)) return weights_at(path);
    SettingsFile file = settings_of_file(path);
    const OpeningKind kind = kind_of(path, file);
    return {kind, name, path, std::move(file)};
}

Opening opening_of_preset(const std::string& name) {
    const fs::path path = preset_path(assets_folder(), name);
    return {OpeningKind::preset, name, path, read_settings(path)};
}

Opening opening_named(const std::string& path_or_preset) {
    if (!is_there(path_or_preset)) {
        const std::vector<std::string> presets = preset_names(assets_folder());
        if (contains(presets, path_or_preset)) return opening_of_preset(path_or_preset);
    }
    return opening_at(path_or_preset);
}

Opening opening_of_text(const std::string& text, const std::string& name) {
    const std::string plain = plain_text(text, name);
    if (plain.find_first_not_of(" \t\r\n") == std::string::npos)
        throw InputError(name + " holds no settings (expected `experiment = \"…\"`).");
    return {OpeningKind::text, name, "", parse_settings(plain_config(plain), name)};
}

std::string plain_config(const std::string& text) {
    std::string plain;
    for (size_t from = 0; from < text.size();) {
        const size_t end = std::min(text.find('\n', from), text.size());
        std::string line = text.substr(from, end - from);
        from = end + 1;
        size_t marks = 0;
        while (line.compare(marks, 1, ">") == 0 || line.compare(marks, 2, " >") == 0) ++marks;
        line.erase(0, marks);
        const size_t start = line.find_first_not_of(" \t");
        if (start != std::string::npos && line.compare(start, 3, "```") == 0) line.clear();
        plain += line + '\n';
    }
    return plain;
}

StartingPoint starting_point(const SettingsFile& file, const FindExperiment& find, const PresentSettings* present) {
    StartingPoint start;
    try {
        start.experiment = &find(file.experiment);
        const bool keeps = file.keeps_others && present != nullptr && &present->experiment == start.experiment;
        start.settings = keeps ? present->settings : Settings(start.experiment->fields);
        apply(file, start.settings);
        if (keeps && !all_act(file, start.settings)) {
            start.settings = Settings(start.experiment->fields);
            apply(file, start.settings);
        }
        // a pasted text has no folder
        if (const std::filesystem::path path = file.source; is_file(path))
            use_copied_inputs(path.parent_path(), start.settings);
        if (start.experiment->check) start.experiment->check(start.settings);
    } catch (const InputError& error) {
        const std::string sentence = error.what();
        const std::string& name = file.source;
        throw InputError(sentence.starts_with(name) ? sentence : fmt::format("{}: {}", name, sentence));
    }
    start.step = file.step;
    start.view = file.view;
    return start;
}

Staging usual_staging(const std::string& experiment) {
    std::string found;
    for (const PresetInfo& preset : presets_in(assets_folder()))
        if (preset.experiment == experiment && (found.empty() || preset.name == experiment)) found = preset.name;
    if (found.empty()) return {};
    const std::optional<SettingsFile> file = opening_of_preset(found).settings;
    return file && file->view ? staging_in(*file->view) : Staging();
}

namespace {

// Gives the place in presets.toml and the heading of each preset that it names, or nothing without the file. Throws
// InputError if the file does not have this form.
std::map<std::string, std::pair<size_t, std::string>> preset_places(const fs::path& assets) {
    const fs::path path = assets / "presets.toml";
    std::map<std::string, std::pair<size_t, std::string>> places;
    if (!is_there(path)) return places;
    const toml::table root = read_toml(path);
    const toml::array* tables = root["group"].as_array();
    if (tables == nullptr) throw InputError(path.string() + ": holds no [[group]].");
    for (const toml::node& node : *tables) {
        const toml::table* table = node.as_table();
        if (table == nullptr) throw InputError(path.string() + ": a group is a table, [[group]].");
        if (const toml::array* names = (*table)["presets"].as_array())
            for (const toml::node& name : *names)
                places.try_emplace(name.value_or(std::string()), places.size(),
                                   (*table)["title"].value_or(std::string()));
    }
    return places;
}

void put_in_groups(const fs::path& assets, std::vector<PresetInfo>& presets) {
    std::sort(presets.begin(), presets.end(),
              [](const PresetInfo& a, const PresetInfo& b) { return strverscmp(a.name.c_str(), b.name.c_str()) < 0; });
    const auto places = preset_places(assets);
    for (PresetInfo& preset : presets)
        if (const auto found = places.find(preset.name); found != places.end()) preset.group = found->second.second;
    const auto place = [&](const PresetInfo& preset) {
        const auto found = places.find(preset.name);
        return found == places.end() ? places.size() : found->second.first;
    };
    std::stable_sort(presets.begin(), presets.end(),
                     [&](const PresetInfo& a, const PresetInfo& b) { return place(a) < place(b); });
    for (PresetInfo& preset : presets)
        if (preset.group.empty()) preset.group = "Others";
}

std::vector<PresetInfo> read_presets(const fs::path& assets) {
    std::vector<PresetInfo> presets;
    for (const std::string& name : preset_names(assets)) try {
            const SettingsFile file = read_settings(assets / "presets" / (name + ".toml"));
            presets.push_back(
                {name, file.title.empty() ? name : file.title, file.description, file.experiment, "", ""});
        } catch (const std::runtime_error& error) {
            presets.push_back({name, name, "", "", "", error.what()});
        }
    try {
        put_in_groups(assets, presets);
    } catch (const InputError& error) {
        presets.push_back({"presets.toml", "presets.toml", "", "", "Others", error.what()});
    }
    return presets;
}

}  // namespace

std::vector<PresetInfo> presets_in(const fs::path& assets) {
    static ReadOnce<std::vector<PresetInfo>> known;
    return known.get({assets / "presets", assets / "presets.toml"}, [&] { return read_presets(assets); });
}

}  // namespace emergence
