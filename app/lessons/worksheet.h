#pragma once
// Puts a lesson on paper: each step's question, its picture and room for the answer.

#include <filesystem>
#include <functional>
#include <string>

#include "app/lessons/rehearsal.h"

namespace emergence {

/// HTML pages to print, with their pictures inside.
struct Worksheet {
    std::string questions;
    std::string answers;  // for the teacher, with what each step reveals and how its picture looks then
};

/// Plays the lesson to train its runs. Calls `say` again and again with the progress, "step 2 of 5: 1200 of 4000 MRPs".
/// If `say` returns false, it stops and the pages are "". Throws InputError if a name in the lesson is wrong or a step
/// is never answered.
Worksheet worksheet(const Lesson& lesson, const std::filesystem::path& folder, const FindExperiment& find, int threads,
                    const std::function<bool(const std::string&)>& say = {});

}  // namespace emergence
