#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/lessons/lesson.h"

using namespace emergence;

namespace {

constexpr const char* kWhole = R"(title = "One"
description = "Short."
minutes = 2

[[step]]
text = "Look at {step}."
opens = "toy"
settings = { probe = 2, size = 4 }
stage = ["A"]
wings = ["loss"]
spotlight = ["A", "probe"]
unlocked = ["probe"]
paused = true
compare = { size = 2 }
predict = { choose = ["no", "yes"], answer = "yes" }
until = "step >= 20"
do = { probe = 3.5 }
holds = ["metric loss < 1", "emerged >= 0"]
reveal = "Yes."

[[step]]
text = "Click."
predict = { block = "A", answer = ["a", "b"] }
reveal = "There."

[[step]]
text = "Draw."
predict = { sketch = "loss", curve = "loss", x = [0, 100], y = [-1, 2.5] }
reveal = "So."
)";

std::vector<FileFault> faults_in(const std::string& text) {
    std::vector<FileFault> faults;
    parse_lesson(text, "x.toml", faults);
    return faults;
}

// A lesson with one step that has these lines, the first of them line 5.
std::string with_step(const std::string& lines) {
    return "title = \"T\"\nminutes = 1\n[[step]]\nopens = \"td\"\n" + lines + "\n";
}

bool says(const std::string& text, uint32_t line, const std::string& reason) {
    const std::vector<FileFault> faults = faults_in(text);
    return std::any_of(faults.begin(), faults.end(), [&](const FileFault& fault) {
        return fault.line == line && fault.reason.find(reason) != std::string::npos;
    });
}

}  // namespace

TEST_CASE("a lesson's file is read whole") {
    std::vector<FileFault> faults;
    const Lesson lesson = parse_lesson(kWhole, "one.toml", faults);
    for (const FileFault& fault : faults) MESSAGE(fault_text("one.toml", fault));
    REQUIRE(faults.empty());
    CHECK(lesson.title == "One");
    CHECK(lesson.minutes == 2);
    CHECK(lesson.source == "one.toml");
    REQUIRE(lesson.steps.size() == 3);
    const LessonStep& step = lesson.steps[0];
    CHECK(step.opens == "toy");
    REQUIRE(step.settings.size() == 2);
    CHECK(step.settings[0].value == FieldValue(int64_t{2}));
    CHECK(step.stage == std::vector<std::string>{"A"});
    CHECK(step.spotlight.size() == 2);
    CHECK(step.paused);
    REQUIRE(step.compare);
    CHECK(step.compare->field == "size");
    const auto& choice = std::get<ChoicePrediction>(*step.predict);
    CHECK(choice.choices.size() == 2);
    CHECK(choice.answer == 1);
    CHECK(step.until->text == "step >= 20");
    CHECK(step.does.front().value == FieldValue(3.5));
    CHECK(step.holds.size() == 2);
    CHECK(step.lines.at("until") == 16);
    const auto& block = std::get<BlockPrediction>(*lesson.steps[1].predict);
    CHECK(block.rows + block.columns == "ab");
    const auto& sketch = std::get<SketchPrediction>(*lesson.steps[2].predict);
    CHECK(sketch.curve == "loss");
    CHECK(sketch.right == 100.0);
    CHECK(sketch.bottom == -1.0);
    CHECK(sketch.top == 2.5);
    CHECK(looks_like_lesson(kWhole));
    CHECK_FALSE(looks_like_lesson("experiment = \"td\"\n"));
}

TEST_CASE("an answer may be counted from 0") {
    std::vector<FileFault> faults;
    const Lesson lesson = parse_lesson(
        with_step("text = \"T\"\npredict = { choose = [\"a\", \"b\", \"c\"], answer = 2 }\nreveal = \"c\""), "x.toml",
        faults);
    REQUIRE(faults.empty());
    CHECK(std::get<ChoicePrediction>(*lesson.steps[0].predict).answer == 2);
}

TEST_CASE("every error is reported with its line") {
    CHECK(says("title = \"T\"\n", 0, "step: at least one table [[step]] is needed"));
    CHECK(says("[[step]]\nopens = \"td\"\ntext = \"T\"\n", 0, "title: is missing"));
    CHECK(says("title = \"T\"\nminutes = 0\n[[step]]\ntext = \"T\"\nopens = \"td\"", 2, "minutes: a whole number"));
    CHECK(says("title = \"T\"\nautor = \"me\"\n[[step]]\ntext = \"T\"\nopens = \"td\"", 2, "unknown key 'autor'"));
    CHECK(says("title = \"T\"\n[[step]]\ntext = \"T\"\n", 2, "opens: is missing in the first step"));
    CHECK(says(with_step("reveal = \"R\""), 3, "text: is missing"));
    CHECK(says(with_step("text = \"T\"\nspotlights = []"), 6, "unknown key 'spotlights'"));
    CHECK(says(with_step("text = \"T\"\nuntil = \"steps > 3\""), 6, "until: \"steps > 3\""));
    CHECK(says(with_step("text = \"T\"\nholds = \"emerged > 3\""), 6, "holds: a list of conditions"));
    CHECK(says(with_step("text = \"T\"\nstage = \"P0\""), 6, "stage: a list of texts"));
    CHECK(says(with_step("text = \"T {step\""), 5, "the brace { has no }"));
    CHECK(says(with_step("text = \"T\"\ncovered = [\"A\"]"), 6, "covered: the step has no prediction"));
    CHECK(says(with_step("text = \"T\"\npaused = 1"), 6, "paused: true or false"));
    CHECK(says(with_step("text = \"T\"\ncompare = { a = 1, b = 2 }"), 6, "compare: one setting"));
    CHECK(says(with_step("text = \"T\"\ndo = 3"), 6, "do: a table is needed"));
    CHECK(says(with_step("text = \"T\"\nreveal = \"R\"\npredict = { guess = 1 }"), 7, "one of choose, block, sketch"));
    CHECK(says(with_step("text = \"T\"\nreveal = \"R\"\npredict = { choose = [\"a\"], answer = 0 }"), 7,
               "2 to 5 answers"));
    CHECK(says(with_step("text = \"T\"\nreveal = \"R\"\npredict = { choose = [\"a\", \"b\"], answer = \"c\" }"), 7,
               "answer: the choices do not hold this answer"));
    CHECK(says(
        with_step("text = \"T\"\nreveal = \"R\"\npredict = { sketch = \"p\", curve = \"c\", x = [1, 0], y = [0, 1] }"),
        7, "x: two numbers are needed"));
    CHECK(says(with_step("text = \"T\"\npredict = { choose = [\"a\", \"b\"], answer = 0 }"), 6, "reveal: is missing"));
    CHECK(says("title = \"T\n", 1, ""));
    CHECK(fault_text("x.toml", {3, "no"}) == "x.toml:3: no");
    CHECK(fault_text("x.toml", {0, "no"}) == "x.toml: no");
}

TEST_CASE("texts have at most 40 words") {
    CHECK(count_words("") == 0);
    CHECK(count_words("  one,  two – three: γφ' ") == 5);
    std::string words;
    for (int i = 0; i < 40; ++i) words += "word ";
    CHECK(faults_in(with_step("text = \"" + words + "\"")).empty());
    CHECK(says(with_step("text = \"" + words + "more\""), 5, "has 41 words"));
}

TEST_CASE("a lesson that was written is read back as it was meant") {
    LessonDraft draft;
    draft.text = "Will \"it\" fall?";
    draft.opens = "opening \"2\"";
    draft.settings = {{"seeds", int64_t{4}, 0, 0}, {"rate", 2.0, 0, 0}, {"world_edits", std::string("r2=1"), 0, 0}};
    draft.stage = {"P0", "Q0"};
    draft.wings = {"loss"};
    draft.compare = LessonComparison{"seeds", int64_t{8}};
    draft.step = 1200;
    std::vector<FileFault> faults;
    const Lesson lesson = parse_lesson(
        "title = \"Mine\"\n" + lesson_step_text(draft) + lesson_step_text({.text = "Look."}), "x.toml", faults);
    CHECK(faults.empty());
    REQUIRE(lesson.steps.size() == 2);
    CHECK(lesson.steps[1].text == "Look.");
    CHECK(lesson.steps[1].opens.empty());
    const LessonStep& step = lesson.steps.front();
    CHECK(step.text == draft.text);
    CHECK(step.opens == draft.opens);
    CHECK(step.stage == draft.stage);
    CHECK(step.wings == draft.wings);
    REQUIRE(step.settings.size() == 3);
    for (const SettingsFile::Entry& entry : step.settings)
        for (const SettingsFile::Entry& meant : draft.settings)
            if (meant.name == entry.name) CHECK((meant.value == entry.value));
    REQUIRE(step.compare);
    CHECK((step.compare->value == FieldValue(int64_t{8})));
    REQUIRE(step.until);
    CHECK(step.until->text == "step >= 1200");
}
