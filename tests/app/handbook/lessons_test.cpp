// The lesson that the chapter for teachers shows is sound, and keeps its promises.
#include <doctest/doctest.h>

#include "app/lessons/rehearsal.h"
#include "core/experiments/registry.h"
#include "tests/app/handbook/filled_pages.h"
#include "tests/support/places.h"
#include "tests/support/scratch.h"

namespace emergence {

TEST_CASE("the lesson in the handbook plays") {
    int lessons = 0;
    for (const testing::Page& page : testing::handbook_pages())
        for (const handbook::Block& block : document_of(page).blocks) {
            if (block.kind != handbook::Block::Kind::code || block.info != "toml") continue;
            if (!looks_like_lesson(block.text)) continue;
            ++lessons;
            const testing::Scratch folder;
            std::vector<FileFault> faults = check_lesson(block.text, "my_lesson.toml", folder.path(), find_experiment);
            for (const FileFault& fault : faults) FAIL_CHECK(fault_text("my_lesson.toml", fault));
            REQUIRE(faults.empty());
            const Lesson lesson = parse_lesson(block.text, "my_lesson.toml", faults);
            HeadlessHost host(folder.path(), find_experiment, 2);
            for (const RehearsedStep& step : rehearse(lesson, host)) CHECK(step.failure == "");
        }
    CHECK(lessons == 1);
}

TEST_CASE("the handbook names every shipped lesson") {
    const std::string chapter = testing::slurp(testing::source_dir() / "assets/handbook/lessons.md");
    for (const LessonInfo& one : lessons_in(testing::source_dir() / "assets/lessons"))
        CHECK_MESSAGE(testing::holds(chapter, "| [" + one.title + "](../lessons/" + one.name + ".toml) |"), one.name);
}

}  // namespace emergence
