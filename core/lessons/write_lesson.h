#pragma once
// A lesson of one step, written from what a window shows: its author fills in the words.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/lessons/lesson.h"
#include "core/settings/staging.h"
#include "core/settings/toml.h"

namespace emergence {

/// What a window shows.
struct LessonDraft {
    /// A preset or an experiment.
    std::string opens;
    /// Those that differ from what it opens with.
    std::vector<SettingsFile::Entry> settings;
    /// The pictures; its controls are the settings that the reader may change.
    Staging staging;
    std::optional<LessonComparison> compare;
    /// The run's step.
    int64_t step = 0;
};

/// The lesson's file: complete and valid, with texts to replace. A run that has trained is trained as far again.
std::string lesson_file_text(const LessonDraft& draft);

}  // namespace emergence
