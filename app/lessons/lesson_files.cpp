#include "app/lessons/lesson_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "app/open/opening.h"
#include "app/open/run_folder.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/folders.h"
#include "core/files/text.h"

namespace emergence {
namespace {

namespace fs = std::filesystem;

bool is_preset(const std::string& name) {
    const std::vector<std::string> names = preset_names(assets_folder());
    return std::find(names.begin(), names.end(), name) != names.end();
}

LessonStart start_of(const Opening& opening, const FindExperiment& find) {
    LessonStart start;
    start.title = opening.name;
    if (opening.kind == OpeningKind::run) {
        RunToOpen run = run_in(opening.path, find);
        start.experiment = run.experiment;
        start.settings = std::move(run.settings);
        start.checkpoint = std::move(run.checkpoint);
        return start;
    }
    if (!opening.settings) throw InputError(opening.name + " holds no settings. Name a preset or a saved run.");
    StartingPoint point = starting_point(*opening.settings, find);
    start.experiment = point.experiment;
    start.settings = std::move(point.settings);
    if (point.view) start.view = *std::move(point.view);
    if (!opening.settings->title.empty()) start.title = opening.settings->title;
    return start;
}

LessonStart start_of_experiment(const std::string& name, const FindExperiment& find) {
    LessonStart start;
    try {
        start.experiment = &find(name);
    } catch (const InputError&) {
        throw InputError(
            fmt::format("'{}' is no preset and no experiment, and nothing of that name lies beside the lesson. "
                        "`emergence-cli list` names presets and experiments.",
                        name));
    }
    start.settings = Settings(start.experiment->fields);
    start.title = start.experiment->title;
    return start;
}

}  // namespace

std::vector<LessonInfo> list_lessons(const fs::path& assets) { return lessons_in(assets / "lessons"); }

std::vector<LessonInfo> lessons_in(const fs::path& folder) {
    std::vector<LessonInfo> found;
    for (const fs::path& file : entries_in(folder)) {
        if (file.extension() != ".toml") continue;
        try {
            const Lesson lesson = read_lesson(file);
            found.push_back(
                {file.stem().string(), file, lesson.title, lesson.description, lesson.minutes, lesson.steps.size()});
        } catch (const InputError&) {  // no lesson
        }
    }
    const auto place = [](const LessonInfo& one) { return std::pair(one.name != kTourLesson, one.name); };
    std::sort(found.begin(), found.end(),
              [&](const LessonInfo& a, const LessonInfo& b) { return place(a) < place(b); });
    return found;
}

Lesson read_lesson(const fs::path& path) {
    std::vector<FileFault> faults;
    Lesson lesson = parse_lesson(read_text(path), path.filename().string(), faults);
    if (faults.empty()) return lesson;
    const std::string more = faults.size() == 1
                                 ? ""
                                 : fmt::format(" ({} more: {})", faults.size() - 1,
                                               shell_command({"lesson", "check", path_argument(path.string())}));
    throw InputError(fault_text(path.filename().string(), faults.front()) + more);
}

std::vector<LessonInfo> shipped_lessons() {
    try {
        static ReadOnce<std::vector<LessonInfo>> known;
        const fs::path assets = assets_folder();
        return known.get({assets / "lessons"}, [&] { return list_lessons(assets); });
    } catch (const std::runtime_error&) {
        return {};
    }
}

ClassText class_text(const fs::path& path) {
    if (kind_of_file(path) != fs::file_type::directory) return {read_text(path), {}};
    ClassText all;
    for (const fs::path& file : files_in(path)) {
        const std::string answer = read_text(file);
        all.text += shown_text(file.stem().string()) + ": " + answer.substr(0, answer.find('\n')) + "\n";
        all.files.push_back(shown_text(file.filename().string()));
    }
    if (all.files.empty()) throw InputError(path.filename().string() + ": this folder holds no file with an answer.");
    return all;
}

void change_settings(const std::vector<SettingsFile::Entry>& changes, const ExperimentInfo& experiment,
                     Settings& settings) {
    SettingsFile file;
    file.source = experiment.name;
    file.entries = changes;
    for (SettingsFile::Entry& entry : file.entries) entry.line = entry.column = 0;
    Settings changed = settings;
    apply(file, changed);
    if (experiment.check) experiment.check(changed);
    settings = std::move(changed);
}

LessonStart lesson_start(const std::string& opens, const std::vector<SettingsFile::Entry>& settings,
                         const fs::path& folder, const FindExperiment& find) {
    std::error_code ignored;
    const bool beside = fs::exists(folder / opens, ignored);
    LessonStart start = beside             ? start_of(opening_at(folder / opens), find)
                        : is_preset(opens) ? start_of(opening_of_preset(opens), find)
                                           : start_of_experiment(opens, find);
    change_settings(settings, *start.experiment, start.settings);
    return start;
}

}  // namespace emergence
