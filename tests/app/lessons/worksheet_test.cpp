#include "app/lessons/worksheet.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/base/error.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

size_t times_in(const std::string& text, const std::string& word) {
    size_t found = 0;
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
}

constexpr const char* kPrinted = R"(title = "A <lesson>"
minutes = 3
[[step]]
text = "Will the loss fall?"
opens = "other.toml"
stage = ["A"]
wings = ["loss"]
covered = ["loss"]
predict = { choose = ["no", "yes"], answer = "yes" }
until = "step >= 30"
reveal = "It fell to {metric loss}."
[[step]]
text = "Draw the loss."
stage = ["loss"]
predict = { sketch = "loss", curve = "loss", x = [0, 50], y = [0, 4] }
reveal = "So."
[[step]]
text = "Press Show me."
paper = "It is done for you."
opens = "other.toml"
stage = ["loss"]
paused = true
)";

}  // namespace

TEST_CASE("a lesson on paper asks and leaves room; the teacher's page has the answers and how it looks then") {
    const Scratch folder;
    spit(folder / "other.toml", "experiment = \"toy\"\n[settings]\nsize = 4\nnum_steps = 50\n");
    spit(folder / "lesson.toml", kPrinted);
    const Lesson lesson = read_lesson(folder / "lesson.toml");
    std::vector<std::string> said;
    const auto& [page, answers] = worksheet(lesson, folder.path(), find_toy, 1, [&](const std::string& text) {
        said.push_back(text);
        return true;
    });
    CHECK(said.front() == "step 1 of 3");
    CHECK(std::find(said.begin(), said.end(), "step 1 of 3: 30 of 30 steps") != said.end());
    check_holds(page, {"<h1>A &lt;lesson&gt;</h1>", "Will the loss fall?"});
    CHECK(times_in(page, "☐") == 2);
    CHECK(times_in(page, "☑") == 0);
    CHECK_FALSE(holds(page, "It fell to"));
    CHECK(times_in(page, "<img") == 2);  // the matrix, and empty axes in place of the curve; none of a run at its start
    CHECK(times_in(answers, "alt=\"\"") == 0);
    check_holds(page, {"alt=\"Empty axes for the curve loss: steps from 0 to 50", "It is done for you."});
    CHECK_FALSE(holds(page, "Show me"));
    CHECK(holds(page, "class=\"line\""));
    CHECK(times_in(answers, "☑") == 1);
    CHECK(holds(answers, "It fell to "));
    CHECK_FALSE(holds(answers, "{metric"));
    CHECK(times_in(answers, "<img") >= 3);
    CHECK(worksheet(lesson, folder.path(), find_toy, 1, [](const std::string&) { return false; }).answers.empty());
}
