#include "core/lessons/write_lesson.h"

#include <doctest/doctest.h>

using namespace emergence;

TEST_CASE("a lesson that was written is read back as it was meant") {
    LessonDraft draft;
    draft.opens = "opening \"2\"";
    draft.settings = {
        {"seeds", int64_t{4}, 0, 0}, {"rate", 2.0, 0, 0}, {"world_edits", std::string("r2=1"), 0, 0}};
    draft.staging = {{"P0", "Q0"}, {"loss"}, {"rate"}};
    draft.compare = LessonComparison{"seeds", int64_t{8}};
    draft.step = 1200;
    std::vector<FileFault> faults;
    const Lesson lesson = parse_lesson(lesson_file_text(draft), "x.toml", faults);
    CHECK(faults.empty());
    REQUIRE(lesson.steps.size() == 1);
    const LessonStep& step = lesson.steps.front();
    CHECK(step.opens == draft.opens);
    CHECK(step.stage == draft.staging.stage);
    CHECK(step.wings == draft.staging.wings);
    CHECK(step.unlocked == draft.staging.controls);
    REQUIRE(step.settings.size() == 3);
    for (const SettingsFile::Entry& entry : step.settings)
        for (const SettingsFile::Entry& meant : draft.settings)
            if (meant.name == entry.name) CHECK((meant.value == entry.value));
    REQUIRE(step.compare);
    CHECK((step.compare->value == FieldValue(int64_t{8})));
    REQUIRE(step.until);
    CHECK(step.until->text == "step >= 1200");
}
