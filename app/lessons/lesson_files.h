#pragma once
// Reads lessons from disk, and opens what their steps name.

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
/// Lists the lessons of a folder by name, the tour first. Files that are wrong, or not lessons, are left out.
std::vector<LessonInfo> lessons_in(const std::filesystem::path& folder);
/// Lists the lessons of the program's own assets, or none without them.
std::vector<LessonInfo> shipped_lessons();

/// Reads a lesson. Throws InputError with its first error.
Lesson read_lesson(const std::filesystem::path& path);

/// The answers of a class, as read_class() takes them: the text of a file or, for a folder, one line "stem: first line"
/// for each of its files, by name.
struct ClassText {
    std::string text;
    /// For a folder, the file of each line.
    std::vector<std::string> files;
};
/// Reads the answers. Throws InputError.
ClassText class_text(const std::filesystem::path& path);

/// The run with which a step begins.
struct LessonStart {
    const ExperimentInfo* experiment = nullptr;
    /// Checked.
    Settings settings;
    /// Comes from a saved run. If null, the run begins at step 0.
    std::shared_ptr<const Checkpoint> checkpoint;
    ViewValues view;
    std::string title;
};
/// Opens a preset, an experiment, or a file or a saved run beside the lesson (in `folder`), with the given settings
/// over its own. Throws InputError.
LessonStart lesson_start(const std::string& opens, const std::vector<SettingsFile::Entry>& settings,
                         const std::filesystem::path& folder, const FindExperiment& find);
/// Puts a lesson's settings over others. Throws InputError, also if they contradict each other.
void change_settings(const std::vector<SettingsFile::Entry>& changes, const ExperimentInfo& experiment,
                     Settings& settings);

}  // namespace emergence
