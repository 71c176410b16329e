#pragma once
// The list of lessons (L): titles, minutes, and which are done.

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

/// How many steps of the lesson the user has seen answered, at most all of them.
size_t steps_seen(const LessonInfo& lesson, const std::map<std::string, int64_t>& seen);

class LessonList : public Sheet {
  public:
    /// `own_folder`: where lessons are that were written in the window.
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
    size_t shipped_ = 0;  // so many of them, then the user's own
    size_t chosen_ = 0;   // by the arrow keys
};

}  // namespace emergence
