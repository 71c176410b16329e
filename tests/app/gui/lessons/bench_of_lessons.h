#pragma once

/// A window in which a lesson is open, for tests.

#include <doctest/doctest.h>

#include <string>

#include "app/gui/lessons/lesson_room.h"
#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/scratch.h"

namespace emergence::testing {

using Phase = LessonPlayer::Phase;

inline constexpr const char* kLesson = R"(title = "A lesson"
minutes = 3
[[step]]
text = "Will the loss fall?"
opens = "other.toml"
stage = ["A"]
wings = ["loss"]
spotlight = ["A"]
covered = ["headline", "loss"]
predict = { choose = ["no", "yes"], answer = "yes" }
until = "step >= 30"
holds = ["metric loss < before metric loss"]
reveal = "It fell to {metric loss}."
[[step]]
text = "Change the probe."
unlocked = ["probe"]
do = { probe = 2.0 }
until = "field probe changed"
reveal = "Changed."
[[step]]
text = "Click the matrix."
stage = ["A"]
predict = { block = "A", answer = ["a", "a"] }
reveal = "There."
[[step]]
text = "Draw the loss."
stage = ["loss"]
wings = ["A"]
predict = { sketch = "loss", curve = "loss", x = [0, 50], y = [0, 4] }
reveal = "So."
)";

/// A lesson whose first step asks of other.toml whether something will change, with these further lines.
inline std::string lesson_asking(const std::string& lines) {
    return "title = \"T\"\n[[step]]\ntext = \"Will it change?\"\nopens = \"other.toml\"\n"
           "predict = { choose = [\"no\", \"yes\"], answer = \"yes\" }\nreveal = \"Yes.\"\n" +
           lines;
}

/// A window of a run at step 20, in which the lesson is opened.
struct LessonBench : BenchOfPanels {
    explicit LessonBench(const std::string& lesson = kLesson) : BenchOfPanels({"probe=0.5"}) {
        spit(folder / "other.toml", "experiment = \"toy\"\n[settings]\nsize = 4\nnum_steps = 50\n");
        spit(folder / "lesson.toml", lesson);
        workbench.use_for_lessons(find_toy);
        trainer->send(StepOnce{20});
        frames(2);
        workbench.door().open({folder / "lesson.toml"}, *session);
        settle();
    }
    /// Waits until a step has opened: reading what it opens is a job.
    void settle() {
        frames();
        if (!session->banners().empty()) return;  // of a lesson that is wrong
        wait([&] { return workbench.lesson().is_open() && phase() != Phase::opening; });
    }
    const LessonPlayer& player() { return workbench.lesson().player(); }
    Phase phase() { return player().phase(); }
    void answer_yes() {
        key('2');
        run_until_revealed();
    }
    void run_until_revealed() {
        for (int i = 0; i < 50 && phase() != Phase::revealed; ++i) frames();
    }

    Scratch folder;
};

}  // namespace emergence::testing
