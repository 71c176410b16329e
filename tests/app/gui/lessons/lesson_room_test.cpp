#include "app/gui/lessons/lesson_room.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "app/lessons/rehearsal.h"
#include "tests/app/gui/lessons/bench_of_lessons.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

TEST_CASE("a lesson asks, trains, and answers") {
    LessonBench bench;
    REQUIRE(bench.workbench.lesson().is_open());
    CHECK(bench.phase() == Phase::predicting);
    CHECK(bench.drawn("panel lesson"));
    CHECK(bench.session->settings().integer("size") == 4);
    CHECK(bench.session->live_snapshot()->step == 0);
    CHECK(bench.workbench.stage().places().stage == std::vector<std::string>{"A"});
    CHECK(bench.workbench.stage().places().wings.empty());
    CHECK(bench.drawn("panel headline covered"));
    bench.frames(5);
    CHECK(bench.session->live_snapshot()->step == 0);
    bench.click("choice 2");
    bench.run_until_revealed();
    REQUIRE(bench.phase() == Phase::revealed);
    CHECK(bench.session->live_snapshot()->step >= 30);
    CHECK(bench.workbench.stage().places().wings == std::vector<std::string>{"loss"});
    CHECK_FALSE(bench.drawn("panel headline covered"));
    CHECK(bench.player().right() == true);
    CHECK(bench.player().reveal().starts_with("It fell to "));
    CHECK(bench.player().false_statements().empty());
}

TEST_CASE("settings are locked but for those of the step") {
    LessonBench bench;
    const Settings before = bench.session->settings();
    bench.session->set_field("probe", 3.0);
    CHECK(bench.session->settings() == before);
    CHECK(bench.session->refusal("probe") == "The lesson holds this setting.");
    bench.key(GLFW_KEY_KP_2);  // as the 2 beside the letters
    bench.run_until_revealed();
    bench.key(GLFW_KEY_PAGE_DOWN);
    REQUIRE(bench.player().index() == 1);
    CHECK(bench.phase() == Phase::doing);
    bench.session->set_field("size", int64_t{3});
    CHECK(bench.session->settings().integer("size") == 4);
    bench.session->set_field("probe", 1.5);
    bench.frames(2);
    CHECK(bench.phase() == Phase::revealed);
}

TEST_CASE("show me does what the text asks for, and page up goes back") {
    LessonBench bench;
    bench.key(GLFW_KEY_PAGE_DOWN);
    REQUIRE(bench.phase() == Phase::doing);
    bench.act(Action::lesson_next);
    CHECK(bench.session->settings().number("probe") == 2.0);
    CHECK(bench.phase() == Phase::revealed);
    bench.key(GLFW_KEY_PAGE_UP);
    bench.settle();
    CHECK(bench.player().index() == 0);
    CHECK(bench.phase() == Phase::predicting);
    CHECK(bench.session->settings().number("probe") == 1.0);
    bench.key(GLFW_KEY_PAGE_DOWN);
    bench.key(GLFW_KEY_PAGE_DOWN);  // the key that leads on shows first
    CHECK(bench.player().index() == 1);
    CHECK(bench.session->settings().number("probe") == 2.0);
    CHECK(bench.phase() == Phase::revealed);
}

TEST_CASE("a clicked cell is an answer") {
    LessonBench bench;
    for (int i = 0; i < 3; ++i) bench.key(GLFW_KEY_PAGE_DOWN);
    REQUIRE(bench.phase() == Phase::predicting);
    bench.click("cells A learned");
    REQUIRE(bench.phase() == Phase::revealed);
    CHECK(bench.player().right() == true);
    CHECK_FALSE(bench.workbench.matrices().selection());
}

TEST_CASE("a curve is sketched with the mouse, and its plot is covered until then") {
    LessonBench bench;
    for (int i = 0; i < 4; ++i) bench.key(GLFW_KEY_PAGE_DOWN);
    REQUIRE(bench.phase() == Phase::predicting);
    CHECK(bench.workbench.stage().places().stage != std::vector<std::string>{"loss"});
    bench.press_along({bench.at("sketch", 0.02F, 0.98F), bench.at("sketch", 0.98F, 0.02F)});
    bench.release();
    bench.click("sketch done");
    REQUIRE(bench.phase() == Phase::revealed);
    CHECK(bench.player().sketch_error());
    bench.frames(2);
    CHECK(bench.workbench.stage().places().stage == std::vector<std::string>{"loss"});
}

TEST_CASE("a prediction can be changed until its answer is there") {
    LessonBench bench(
        lesson_asking("settings = { num_steps = 1000 }\ncovered = [\"headline\"]\nuntil = \"step >= 400\"\n"));
    bench.click("choice 1");
    REQUIRE(bench.phase() == Phase::doing);
    CHECK(bench.drawn("answer again"));
    bench.click("choice 2");
    CHECK(bench.phase() == Phase::doing);
    CHECK(bench.player().answered() == Answer(1));
    bench.click("answer again");
    REQUIRE(bench.phase() == Phase::predicting);
    CHECK_FALSE(bench.session->advancing());
    CHECK(bench.drawn("panel headline covered"));
    bench.answer_yes();
    REQUIRE(bench.phase() == Phase::revealed);
    CHECK(bench.player().right() == true);
    CHECK(bench.player().changed_answer());
    bench.frames(2);
    CHECK_FALSE(bench.drawn("answer again"));
    bench.click("choice 1");
    bench.key('1');
    CHECK(bench.player().answered() == Answer(1));
    CHECK_FALSE(bench.session->pin());  // the key is no other command meanwhile
}

TEST_CASE("a double click on Next is one click, also if the button stands where it stood") {
    const std::string another = "[[step]]\ntext = \"One step.\"\n";
    LessonBench bench("title = \"T\"\n" + another + "opens = \"other.toml\"\n" + another + another + another);
    bench.frames(60);
    bench.click("lesson next");
    REQUIRE(bench.player().index() == 1);
    bench.click("lesson next");
    bench.click("lesson next");
    CHECK(bench.player().index() == 1);
    bench.frames(60);
    bench.click("lesson next");
    CHECK(bench.player().index() == 2);
    // It began before the step was there.
    bench.frames(60);
    bench.press_along({bench.centre("lesson back")});
    bench.key(GLFW_KEY_PAGE_DOWN);
    bench.release();
    CHECK(bench.player().index() == 3);
}

TEST_CASE("a wrong lesson becomes a banner, and a wrong name in one, too") {
    LessonBench bench("title = \"T\"\n[[step]]\ntext = \"T\"\nopens = \"other.toml\"\nuntil = \"never\"\n");
    CHECK_FALSE(bench.workbench.lesson().is_open());
    bench.check_banner("lesson.toml:5: until");
}

TEST_CASE("in a lesson neither keys nor buttons restart the run, and each says why") {
    LessonBench bench;
    for (const Action action : {Action::run_or_pause, Action::step, Action::reset, Action::new_seed})
        CHECK(bench.workbench.why_not(action, *bench.session) == "First the lesson wants your prediction");
    const size_t sent = bench.sent.size();
    for (const int key : {GLFW_KEY_R, GLFW_KEY_N, GLFW_KEY_SPACE}) bench.key(key);
    bench.key(GLFW_KEY_Z, GLFW_MOD_CONTROL);
    for (const char* button : {"run", "step"}) bench.click(button);
    for (const Action action : {Action::reset, Action::new_seed}) {
        bench.choose(action);
        bench.key(GLFW_KEY_ESCAPE);  // a row that does nothing leaves the menu open
    }
    CHECK(bench.sent.size() == sent);
    bench.answer_yes();
    CHECK(bench.workbench.why_not(Action::reset, *bench.session) == "The lesson runs the training");
    const int64_t step = bench.session->live_snapshot()->step;
    bench.frames(5);
    CHECK(bench.session->live_snapshot()->step == step);
    CHECK(bench.workbench.why_not(Action::run_or_pause, *bench.session) == "The lesson runs the training");
}

TEST_CASE("a step shows beside the present what was there before, and holds the axes") {
    LessonBench bench(
        lesson_asking("stage = [\"A\"]\nwings = [\"loss\"]\nunlocked = [\"size\", \"probe\"]\nghost = true\n"
                      "fixed_axes = true\nuntil = \"step >= 30\"\n[[step]]\ntext = \"And now?\"\n"));
    CHECK(bench.session->ghost() == nullptr);
    CHECK(bench.session->holds_axes());
    bench.answer_yes();
    REQUIRE(bench.session->ghost());
    CHECK(bench.session->ghost()->snapshot->step == 0);
    bench.frames(2);
    const auto titled = [&](const std::string& word) {
        int found = 0;
        for (const HeatmapSpec& one : bench.workbench.matrices().heatmaps()) found += holds(one.title, word) ? 1 : 0;
        return found;
    };
    CHECK(titled(", before") == 1);
    const auto greys = [&] {
        int found = 0;
        for (const PlotSpec& plot : bench.workbench.curves().plots())
            for (const Series& series : plot.series) found += series.name.ends_with(", before") ? 1 : 0;
        return found;
    };
    const int of_moments = greys();
    // Another run has another history beside it.
    bench.session->set_field("size", int64_t{3});
    bench.frames(20);
    CHECK(greys() > of_moments);
    bench.key(GLFW_KEY_PAGE_DOWN);
    bench.frames(3);
    CHECK(bench.session->ghost() == nullptr);
    CHECK_FALSE(bench.session->holds_axes());
    CHECK(titled("before") == 0);
}

TEST_CASE("an answer that the run contradicts says so in words, and what is dragged is judged when it is let go") {
    LessonBench bench(
        lesson_asking("unlocked = [\"probe\"]\ndo = { probe = 2.0 }\nuntil = \"field probe changed\"\n"
                      "holds = [\"field probe == 2\"]\n"));
    REQUIRE(bench.phase() == Phase::predicting);
    CHECK(bench.drawn("lesson show"));  // the text names it
    bench.click("choice 2");
    REQUIRE(bench.phase() == Phase::doing);
    bench.press_along({bench.centre("probe"), bench.at("probe", 0.98F)});
    CHECK(bench.session->in_gesture());
    CHECK(bench.phase() == Phase::doing);
    bench.gui.button(false);
    bench.frames(4);
    REQUIRE(bench.phase() == Phase::revealed);
    CHECK_FALSE(bench.player().false_statements().empty());
    CHECK(bench.drawn("differs"));
}

TEST_CASE("the open lesson is written as two pages to print") {
    LessonBench bench;
    const Scratch exports;
    bench.workbench.files().export_panel().choices().folder = exports.path().string();
    bench.act(Action::lesson_pages);
    std::set<std::string> pages;
    bench.wait([&] {
        for (const auto& entry : std::filesystem::directory_iterator(exports.path()))
            if (entry.path().extension() == ".html") pages.insert(entry.path().filename().string());
        return pages.size() == 2;
    });
    CHECK(pages.begin()->starts_with("A-lesson-answers-"));
    CHECK(pages.rbegin()->starts_with("A-lesson-worksheet-"));
    CHECK(bench.phase() == Phase::predicting);  // nothing has happened to the lesson
}

TEST_CASE("leaving gives back settings, step, moments, the moment that was shown, pins and pace") {
    LessonBench bench;
    bench.act(Action::lesson_leave);
    bench.frames(3);
    CHECK_FALSE(bench.workbench.lesson().is_open());
    CHECK_FALSE(bench.drawn("panel lesson"));
    CHECK(bench.session->undo_text().empty());
    CHECK_FALSE(bench.session->locked());
    bench.trainer->send(StepOnce{20});
    bench.frames(3);
    bench.session->show_step(20);
    bench.session->toggle_pin();
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
    bench.act(Action::lesson_leave);
    const auto* restart = std::get_if<Restart>(&bench.sent.back());
    for (const Command& command : bench.sent)
        if (const auto* one = std::get_if<Restart>(&command)) restart = one;
    REQUIRE(restart != nullptr);
    REQUIRE(restart->past);
    CHECK(restart->past->moments().size() == moments);
    bench.frames(3);
    CHECK(bench.session->settings() == toy_settings({"probe=0.5"}));
    CHECK(bench.session->live_snapshot()->step == 40);
    CHECK_FALSE(bench.session->history().steps().empty());
    CHECK(bench.session->pace() == 10.0);
    REQUIRE(bench.session->pin());
    CHECK(bench.session->pin()->step == 20);
    CHECK(bench.session->pin()->run_number == bench.session->live_snapshot()->run_number);
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
    CHECK(bench.drawn("class"));
    CHECK(bench.phase() == Phase::predicting);
    ImGui::SetClipboardText("2\n1\n2\n2");
    bench.click("class answers");
    bench.frames(2);
    CHECK(bench.workbench.lesson().class_answers()->given.size() == 4);
    std::filesystem::create_directory(bench.folder / "class");
    spit(bench.folder / "class" / "Dora.txt", "1\nbecause\n");
    spit(bench.folder / "class" / "Emil.txt", "yes");
    bench.workbench.answer(ask::Drop{{bench.folder / "class"}}, *bench.session);
    REQUIRE(bench.workbench.lesson().class_answers());
    CHECK(bench.workbench.lesson().class_answers()->given.size() == 2);
    spit(bench.folder / "class.txt", "Dora 1\n");
    bench.workbench.answer(ask::Drop{{bench.folder / "class.txt"}}, *bench.session);
    bench.check_banner("line 1");
    bench.key(GLFW_KEY_PAGE_DOWN);
    CHECK(bench.workbench.lesson().class_answers() == nullptr);
}
