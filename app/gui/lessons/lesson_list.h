#pragma once
// The list of lessons (L): titles, minutes, and which are done.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/lessons/lesson_files.h"

namespace emergence {

/// How many steps of the lesson the user has seen answered, at most all of them.
size_t steps_seen(const LessonInfo& lesson, const std::map<std::string, int64_t>& seen);

class LessonList {
  public:
    /// Reads the shipped lessons.
    void open();
    void close() { open_ = false; }
    bool is_open() const { return open_; }

    /// `seen`: steps of each lesson whose answer was shown. Logged as "panel lessons", its lessons as "lesson NAME".
    void draw(const Context& context, const std::map<std::string, int64_t>& seen);

  private:
    std::optional<LessonInfo> taken_by_key();

    bool open_ = false;
    std::vector<LessonInfo> lessons_;
    size_t chosen_ = 0;  // by the arrow keys
};

}  // namespace emergence
