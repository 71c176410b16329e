// Every shipped lesson, played as its texts ask: each condition is reached, each answer true.
#include <doctest/doctest.h>

#include <filesystem>

#include "app/lessons/rehearsal.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

using namespace emergence;

namespace {

namespace fs = std::filesystem;

fs::path assets() { return testing::source_dir() / "assets"; }

}  // namespace

TEST_CASE("every shipped lesson is sound and listed, the tour first") {
    size_t files = 0;
    for (const auto& entry : fs::directory_iterator(assets() / "lessons")) {
        if (entry.path().extension() != ".toml") continue;
        ++files;
        const std::string name = entry.path().filename().string();
        for (const LessonFault& fault :
             check_lesson(testing::slurp(entry.path()), name, assets() / "lessons", find_experiment))
            FAIL_CHECK(fault_text(name, fault));
    }
    const std::vector<LessonInfo> listed = list_lessons(assets());
    REQUIRE(listed.size() == files);
    CHECK(listed.front().name == kTourLesson);
    for (const LessonInfo& one : listed) {
        CHECK_FALSE(one.description.empty());
        CHECK(one.minutes >= 3);
        CHECK(one.minutes <= 5);
    }
}

TEST_CASE("saved runs of lessons are small") {
    uintmax_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(assets() / "lessons"))
        if (entry.is_regular_file()) bytes += entry.file_size();
    CHECK(bytes < 3'000'000);
}

TEST_CASE("every shipped lesson keeps its promises") {
    for (const LessonInfo& one : list_lessons(assets())) {
        const Lesson lesson = read_lesson(one.path);
        size_t number = 0;
        for (const RehearsedStep& step : rehearse(lesson, one.path.parent_path(), find_experiment, 2)) {
            ++number;
            INFO(one.name << ", step " << number << ", " << step.opening + step.answering << " s");
            CHECK(step.failure == "");
        }
    }
}
