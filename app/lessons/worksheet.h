#pragma once
// A lesson on paper: each step's question, its picture and room for the answer.

#include <filesystem>
#include <functional>
#include <string>

#include "app/lessons/rehearsal.h"

namespace emergence {

/// An HTML page to print, with its pictures inside; `with_answers`: with what each step reveals and how its picture looks
/// then, for the teacher. The lesson is played for it, so that runs train. `on_step` is called after each step, with its
/// number from 1, and may return false to stop: the page then is "". Throws InputError if a name in the lesson is wrong
/// or a step is never answered.
std::string worksheet(const Lesson& lesson, const std::filesystem::path& folder, const FindExperiment& find,
                      int threads, bool with_answers, const std::function<bool(size_t)>& on_step = {});

}  // namespace emergence
