#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "app/lessons/rehearsal.h"
#include "core/base/error.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

struct LessonFolder {
    LessonFolder() { spit(folder / "toy.toml", "experiment = \"toy\"\n[settings]\nscene_moments = 1\n"); }
    std::vector<FileFault> faults(const std::string& step) const {
        return check_lesson("title = \"T\"\n[[step]]\nopens = \"toy.toml\"\ntext = \"T\"\n" + step, "x.toml",
                            folder.path(), find_toy);
    }
    // A reason that is reported at line 5, the first after the text.
    bool says(const std::string& step, const std::string& reason) const {
        const auto found = faults(step);
        return std::any_of(found.begin(), found.end(),
                           [&](const FileFault& fault) { return fault.line == 5 && holds(fault.reason, reason); });
    }
    Scratch folder;
};

}  // namespace

TEST_CASE("names that the run does not have are found") {
    const LessonFolder lesson;
    CHECK(lesson.faults("stage = [\"A\", \"disc\"]\nwings = [\"loss\"]\nspotlight = [\"A\", \"probe\"]").empty());
    CHECK(lesson.says("stage = [\"B\"]", "unknown picture 'B'"));
    CHECK(lesson.says("wings = [\"lose\"]", "unknown picture 'lose'"));
    CHECK(lesson.says("spotlight = [\"prob\"]", "probe"));
    CHECK(lesson.says("unlocked = [\"prob\"]", "unknown setting 'prob'"));
    CHECK(lesson.says("settings = { prob = 2.0 }", "prob"));
    CHECK(lesson.says("settings = { size = 3.5 }", "size"));
    CHECK(lesson.says("do = { probe = 2.0 }", "the step locks 'probe'"));
    CHECK(lesson.says("compare = { sizes = 3 }", "sizes"));
    CHECK(lesson.says("until = \"field prob changed\"", "unknown setting 'prob'"));
    CHECK(lesson.says("until = \"metric lose > 1\"", "unknown metric 'lose'"));
    CHECK(lesson.says("until = \"scalar prob > 1\"", "unknown scalar 'prob'"));
    CHECK(lesson.says("until = \"number disc x > 1\"", "the run has no number of the drawing 'x'"));
    CHECK(lesson.says("until = \"curve p c at 1 > 1\"", "plot 'p'"));
    CHECK(lesson.says("until = \"block A a b > 1\"", "unknown block of columns 'b'"));
    CHECK(lesson.says("holds = [\"metric loss < 1\", \"before metric lose < 1\"]", "unknown metric 'lose'"));
    CHECK(lesson.says("reveal = \"{metric lose}\"", "unknown metric 'lose'"));
    CHECK(lesson.says("predict = { block = \"B\", answer = [\"a\", \"a\"] }\nreveal = \"R\"", "unknown matrix 'B'"));
    CHECK(lesson.says("predict = { block = \"A\", answer = [\"a\", \"c\"] }\nreveal = \"R\"", "'c'"));
    CHECK(lesson.says("predict = { sketch = \"p\", curve = \"c\", x = [0, 1], y = [0, 1] }\nreveal = \"R\"",
                      "unknown plot 'p'"));
    CHECK(lesson.says("predict = { sketch = \"loss\", curve = \"c\", x = [0, 1], y = [0, 1] }\nreveal = \"R\"",
                      "unknown curve 'c'"));
}

TEST_CASE("what a step opens exists") {
    const LessonFolder lesson;
    const auto faults = check_lesson("title = \"T\"\n[[step]]\nopens = \"nothing\"\ntext = \"T\"\nstage = [\"B\"]\n",
                                     "x.toml", lesson.folder.path(), find_toy);
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].line == 3);
    CHECK(holds(faults[0].reason, "'nothing' is neither a preset"));
}

TEST_CASE("a rehearsal reaches what can be reached, and tests what is stated") {
    const LessonFolder lesson;
    std::vector<FileFault> faults;
    const Lesson whole = parse_lesson(
        "title = \"T\"\n"
        "[[step]]\ntext = \"Will the loss fall?\"\nopens = \"toy.toml\"\n"
        "predict = { choose = [\"no\", \"yes\"], answer = 1 }\nuntil = \"step >= 50\"\n"
        "holds = [\"metric loss < before metric loss\"]\nreveal = \"To {metric loss}.\"\n"
        "[[step]]\ntext = \"Change the probe.\"\nunlocked = [\"probe\"]\ndo = { probe = 2.0 }\n"
        "until = \"field probe changed\"\nholds = [\"field probe == 2\", \"step == 0\"]\n"
        "[[step]]\ntext = \"Compare.\"\nopens = \"toy.toml\"\ncompare = { size = 2 }\nuntil = \"other step >= 200\"\n",
        "x.toml", faults);
    REQUIRE(faults.empty());
    HeadlessHost host(lesson.folder.path(), find_toy, 1);
    const auto steps = rehearse(whole, host);
    REQUIRE(steps.size() == 3);
    CHECK(steps[0].failure == "");
    CHECK(steps[0].at >= 50);
    CHECK(steps[0].reveal.starts_with("To "));
    CHECK(steps[1].failure.starts_with("holds: \"step == 0\" is false"));
    CHECK(steps[2].failure == "until: \"other step >= 200\" was not reached by step 100");
}

TEST_CASE("a lesson's file with errors is refused with the first") {
    const LessonFolder lesson;
    spit(lesson.folder / "bad.toml", "titel = \"T\"\n[[step]]\ntext = \"T\"\n");
    const std::string said = message_of<InputError>([&] { (void)read_lesson(lesson.folder / "bad.toml"); });
    CHECK(said.starts_with("bad.toml: title: is missing"));
    CHECK(holds(said, "more: emergence-cli lesson check "));
}
