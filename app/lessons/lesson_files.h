#pragma once
// Lessons on disk, and what their steps open.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/lab/store/checkpoint.h"
#include "core/lab/study.h"
#include "core/lessons/lesson.h"
#include "core/settings/toml.h"

namespace emergence {

/// The name of the lesson that a first start offers.
inline constexpr const char* kTourLesson = "tour";

/// A lesson of the program's assets, as lists show it.
struct LessonInfo {
    /// The stem of its file.
    std::string name;
    std::filesystem::path path;
    std::string title;
    std::string description;
    int64_t minutes = 0;
    size_t steps = 0;
};
/// Those of a folder by name, the tour first. Files that are no lessons, or wrong ones, are left out.
std::vector<LessonInfo> lessons_in(const std::filesystem::path& folder);
/// Those of the folder of assets.
std::vector<LessonInfo> list_lessons(const std::filesystem::path& assets);

/// Those of the program's own assets; none without them.
std::vector<LessonInfo> shipped_lessons();

/// Reads a lesson. Throws InputError with its first error.
Lesson read_lesson(const std::filesystem::path& path);

/// The answers of a class, as read_class() takes them: a file's text, or of a folder a line "stem: first line" for each
/// of its files, by their names.
struct ClassText {
    std::string text;
    /// Of a folder: the file of each line.
    std::vector<std::string> files;
};
/// Throws InputError.
ClassText class_text(const std::filesystem::path& path);

/// The run with which a step begins.
struct LessonStart {
    const ExperimentInfo* experiment = nullptr;
    /// Checked.
    Settings settings;
    /// Of a saved run; null: it begins at step 0.
    std::shared_ptr<const Checkpoint> checkpoint;
    ViewValues view;
    std::string title;
};
/// A preset, an experiment, or a file or a saved run beside the lesson (`folder`), with settings over its own. Throws
/// InputError.
LessonStart lesson_start(const std::string& opens, const std::vector<SettingsFile::Entry>& settings,
                         const std::filesystem::path& folder, const FindExperiment& find);
/// Puts a lesson's settings over others. Throws InputError, also if they contradict each other.
void change_settings(const std::vector<SettingsFile::Entry>& changes, const ExperimentInfo& experiment,
                     Settings& settings);

}  // namespace emergence
