#pragma once
// A lesson on paper: each step's question, its picture and room for the answer.

#include <filesystem>
#include <functional>
#include <string>

#include "app/lessons/rehearsal.h"

namespace emergence {

/// HTML pages to print, with their pictures inside.
struct Worksheet {
    std::string questions;
    std::string answers;  // the teacher's: with what each step reveals and how its picture looks then
};

/// The lesson is played for them, so that runs train. `say` is called again and again with how far that is, "step 2 of
/// 5: 1200 of 4000 MRPs", and may return false to stop: then the pages are "". Throws InputError if a name in the
/// lesson is wrong or a step is never answered.
Worksheet worksheet(const Lesson& lesson, const std::filesystem::path& folder, const FindExperiment& find, int threads,
                    const std::function<bool(const std::string&)>& say = {});

}  // namespace emergence
