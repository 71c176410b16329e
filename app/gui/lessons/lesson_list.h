#pragma once
// The list of lessons (L): titles, minutes, and which are done.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/commands/sheet.h"
#include "app/gui/shell/preferences.h"
#include "app/lessons/lesson_files.h"

namespace emergence {

/// How many steps of the lesson the user has seen answered, at most all of them.
size_t steps_seen(const LessonInfo& lesson, const std::map<std::string, int64_t>& seen);

class LessonList : public Sheet {
  public:
    explicit LessonList(const Preferences& preferences) : Sheet("lessons", Keys::own), preferences_(preferences) {}
    /// Reads the shipped lessons.
    void open(const Session& session) override;
    /// Lessons are logged as "lesson NAME".
    void draw(const Context& context) override;

  private:
    std::optional<LessonInfo> taken_by_key();

    const Preferences& preferences_;
    std::vector<LessonInfo> lessons_;
    size_t chosen_ = 0;  // by the arrow keys
};

}  // namespace emergence
