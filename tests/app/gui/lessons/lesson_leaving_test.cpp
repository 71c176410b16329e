// How one gets out of a lesson, and what others bring into it: a class's answers, a lesson written from the window.

#include "app/gui/lessons/lesson_room.h"

#include <doctest/doctest.h>

#include "app/lessons/rehearsal.h"
#include "tests/app/gui/lessons/bench_of_lessons.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("leaving gives the run back with its settings, step and undo") {
    LessonBench bench;
    bench.key('2');
    bench.run_until_revealed();
    bench.key(GLFW_KEY_X, GLFW_MOD_SHIFT);
    bench.frames(3);
    CHECK_FALSE(bench.workbench.lesson().is_open());
    CHECK(bench.session->settings() == toy_settings({"probe=0.5"}));
    CHECK(bench.session->live_snapshot()->step == 20);
    CHECK_FALSE(bench.session->history().steps().empty());
    CHECK(bench.session->undo_text().empty());
    CHECK_FALSE(bench.session->locked());
    CHECK_FALSE(bench.gui.log().drawn("panel lesson"));
    bench.session->set_field("probe", 3.0);
    CHECK(bench.session->settings().number("probe") == 3.0);
}

TEST_CASE("leaving gives back the moments, the moment that was shown, the pins and the pace") {
    LessonBench bench;
    bench.key(GLFW_KEY_X, GLFW_MOD_SHIFT);
    bench.frames(3);
    bench.trainer->send(StepOnce{20});
    bench.frames(3);
    bench.session->show_step(20);
    bench.session->toggle_pin(0);
    bench.session->toggle_minus_pin();
    bench.session->set_pace(10.0);
    bench.frames(2);
    const size_t moments = bench.session->moments().moments().size();
    REQUIRE(moments > 1);
    REQUIRE(bench.session->time().step() == 20);
    bench.workbench.begin_lesson(bench.folder / "lesson.toml", *bench.session);
    bench.settle();
    CHECK(bench.session->time().live());
    bench.session->set_pace(1000.0);
    bench.key(GLFW_KEY_X, GLFW_MOD_SHIFT);
    const auto* restart = std::get_if<Restart>(&bench.sent.back());
    for (const Command& command : bench.sent)
        if (const auto* one = std::get_if<Restart>(&command)) restart = one;
    REQUIRE(restart != nullptr);
    REQUIRE(restart->past);
    CHECK(restart->past->moments().size() == moments);
    bench.frames(3);
    CHECK(bench.session->live_snapshot()->step == 40);
    CHECK(bench.session->pace() == 10.0);
    REQUIRE(bench.session->pin(0));
    CHECK(bench.session->pin(0)->step == 20);
    CHECK(bench.session->pin_is_own(0));
    CHECK(bench.session->baseline());
}

TEST_CASE("whoever opens something else leaves the lesson") {
    LessonBench bench;
    spit(bench.folder / "third.toml", "experiment = \"toy\"\n[settings]\nsize = 2\n");
    bench.workbench.door().open({bench.folder / "third.toml"}, *bench.session);
    bench.frames(3);
    CHECK_FALSE(bench.workbench.lesson().is_open());
    CHECK_FALSE(bench.session->locked());
    CHECK(bench.session->settings().integer("size") == 2);
}

TEST_CASE("the answers of a class are pasted or dropped, and counted") {
    LessonBench bench;
    ImGui::SetClipboardText("Ada: 2\nBo: no\nCy: yes\n");
    bench.key(GLFW_KEY_V, GLFW_MOD_CONTROL);
    bench.frames(2);
    REQUIRE(bench.workbench.lesson().class_answers());
    CHECK(bench.workbench.lesson().class_answers()->given.size() == 3);
    CHECK(bench.gui.log().drawn("class"));
    CHECK(bench.phase() == Phase::predicting);
    std::filesystem::create_directory(bench.folder / "class");
    spit(bench.folder / "class" / "Dora.txt", "1\nbecause\n");
    spit(bench.folder / "class" / "Emil.txt", "yes");
    bench.workbench.answer(ask::Drop{{bench.folder / "class"}}, *bench.session);
    REQUIRE(bench.workbench.lesson().class_answers());
    CHECK(bench.workbench.lesson().class_answers()->given.size() == 2);
    spit(bench.folder / "class.txt", "Dora 1\n");
    bench.workbench.answer(ask::Drop{{bench.folder / "class.txt"}}, *bench.session);
    REQUIRE(bench.session->banners().size() == 1);
    CHECK(bench.session->banners()[0].find("line 1") != std::string::npos);
    bench.key(GLFW_KEY_PAGE_DOWN);
    CHECK(bench.workbench.lesson().class_answers() == nullptr);
}
