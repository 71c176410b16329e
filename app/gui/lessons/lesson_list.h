#pragma once
// The list of lessons (L) with titles, minutes and progress.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/commands/sheet.h"
#include "app/gui/shell/preferences.h"
#include "app/lessons/lesson_files.h"

namespace emergence {

/// The number of the lesson's steps whose answer the user has seen.
size_t steps_seen(const LessonInfo& lesson, const std::map<std::string, int64_t>& seen);

class LessonList : public Sheet {
  public:
    /// `own_folder` returns the folder of lessons that were written in the window.
    LessonList(const Preferences& preferences, std::function<std::filesystem::path()> own_folder)
        : Sheet("lessons", Keys::own), preferences_(preferences), own_folder_(std::move(own_folder)) {}
    /// Reads the shipped lessons, then the user's own.
    void open(const Session& session) override;
    /// Lessons are logged as "lesson NAME".
    void draw(const Context& context) override;

  private:
    std::optional<size_t> taken_by_key();

    const Preferences& preferences_;
    std::function<std::filesystem::path()> own_folder_;
    std::vector<LessonInfo> lessons_;
    size_t shipped_ = 0;  // number of shipped lessons; the user's own follow
    size_t chosen_ = 0;   // chosen with the arrow keys
};

}  // namespace emergence
