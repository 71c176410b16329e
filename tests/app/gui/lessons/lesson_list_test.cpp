#include "app/gui/lessons/lesson_list.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "core/files/text.h"
#include "core/lessons/lesson.h"
#include "tests/app/gui/bench_of_panels.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

constexpr const char* kTour =
    "title = \"The short tour\"\ndescription = \"Two steps.\"\nminutes = 3\n"
    "[[step]]\ntext = \"Will the loss fall?\"\nopens = \"other.toml\"\n"
    "predict = { choose = [\"no\", \"yes\"], answer = \"yes\" }\nreveal = \"Yes.\"\n"
    "[[step]]\ntext = \"Look at the matrix.\"\n";
constexpr const char* kSecond =
    "title = \"The second\"\ndescription = \"One step.\"\nminutes = 4\n"
    "[[step]]\ntext = \"Look.\"\nopens = \"other.toml\"\n";

// Assets with two lessons, as long as it lives.
class LessonShelf {
  public:
    LessonShelf() {
        const char* before = std::getenv(kVariable);
        before_ = before != nullptr ? before : "";
        std::filesystem::create_directory(scratch_ / "presets");
        std::filesystem::create_directory(scratch_ / "lessons");
        spit(scratch_ / "lessons" / "tour.toml", kTour);
        spit(scratch_ / "lessons" / "1-second.toml", kSecond);
        spit(scratch_ / "lessons" / "runs.txt", "no lesson");
        spit(scratch_ / "lessons" / "other.toml", "experiment = \"toy\"\n[settings]\nsize = 4\n");
        setenv(kVariable, scratch_.path().c_str(), 1);
    }
    ~LessonShelf() { before_.empty() ? unsetenv(kVariable) : setenv(kVariable, before_.c_str(), 1); }
    LessonShelf(const LessonShelf&) = delete;
    LessonShelf& operator=(const LessonShelf&) = delete;

  private:
    static constexpr const char* kVariable = "EMERGENCE_ASSETS";
    Scratch scratch_;
    std::string before_;
};

struct ListBench : BenchOfPanels {
    ListBench() { workbench.use_for_lessons(find_toy); }
    void settle() {
        const LessonRoom& room = workbench.lesson();
        wait([&] { return room.is_open() && room.player().phase() != LessonPlayer::Phase::opening; });
        frames(40);  // longer than a double click
    }
    void take_tour() {
        key(GLFW_KEY_L);
        frames(2);
        click("lesson tour");
        settle();
    }
    int64_t seen(const std::string& name) {
        const auto& lessons = workbench.preferences().lessons;
        const auto found = lessons.find(name);
        return found == lessons.end() ? 0 : found->second;
    }

    LessonShelf shelf;  // before the workbench's first look at it
};

}  // namespace

TEST_CASE("the menu's Lessons lists them; one that was left is resumed, and one that is done begins anew") {
    ListBench bench;
    bench.choose(Action::open_lessons);
    bench.frames(2);
    REQUIRE(bench.drawn("panel lessons"));
    CHECK(bench.drawn("lesson 1-second"));
    CHECK(bench.place("lesson tour").min.y < bench.place("lesson 1-second").min.y);
    bench.click("lesson tour");
    CHECK_FALSE(bench.workbench.lesson_list().is_open());
    bench.settle();
    REQUIRE(bench.workbench.lesson().is_open());
    CHECK(bench.seen("tour") == 0);
    bench.key('1');
    CHECK(bench.seen("tour") == 1);
    bench.act(Action::lesson_leave);
    bench.frames(3);
    bench.take_tour();
    CHECK(bench.workbench.lesson().player().index() == 1);
    CHECK(bench.seen("tour") == 2);
    bench.take_tour();
    CHECK(bench.workbench.lesson().player().index() == 0);
    CHECK(bench.seen("tour") == 2);
}

TEST_CASE("a lesson is taken from the list by its number, or by the arrows and Enter") {
    ListBench bench;
    const auto title_after = [&](auto&& keys) {
        bench.key(GLFW_KEY_L);
        bench.frames(2);
        keys();
        bench.settle();
        CHECK_FALSE(bench.workbench.lesson_list().is_open());
        return bench.workbench.lesson().player().lesson().title;
    };
    const std::string by_number = title_after([&] {
        ImGui::GetIO().AddInputCharacter('1');
        bench.frames(2);
    });
    CHECK(by_number == "The second");
    CHECK(title_after([&] { bench.hit(ImGuiKey_Enter); }) == "The short tour");
    const std::string by_arrow = title_after([&] {
        bench.hit(ImGuiKey_DownArrow);
        bench.hit(ImGuiKey_Enter);
    });
    CHECK(by_arrow == "The second");
}

TEST_CASE("the end of a lesson leads to the next one, or all settings are free") {
    ListBench bench;
    const Settings own = bench.session->settings();
    bench.take_tour();
    bench.key(GLFW_KEY_PAGE_DOWN);
    bench.settle();
    REQUIRE(bench.workbench.lesson().at_end());
    CHECK(bench.session->locked());
    bench.click("lesson explore");
    CHECK_FALSE(bench.session->locked());
    CHECK(bench.workbench.lesson().is_open());
    bench.session->set_field("probe", 3.0);
    CHECK(bench.session->settings().number("probe") == 3.0);
    CHECK(bench.workbench.why_not(Action::reset, *bench.session) == "");
    bench.click("lesson next");
    bench.settle();
    CHECK(bench.workbench.lesson().player().lesson().title == "The second");
    CHECK(bench.session->locked());
    REQUIRE(bench.workbench.lesson().at_end());
    // It is the last one, and the first was skipped through.
    CHECK_FALSE(bench.workbench.lesson().explores());
    bench.click("lesson leave");
    bench.frames(3);
    CHECK(bench.session->settings() == own);
}

TEST_CASE("Esc puts the tour off where it is offered") {
    ListBench bench;
    bench.workbench.offer_tour();
    bench.frames(3);
    REQUIRE(bench.drawn("tour take"));
    bench.key(GLFW_KEY_P);  // where it is not shown, Esc does not mean it
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(bench.workbench.look().presenting);
    CHECK(bench.drawn("tour take"));
    CHECK(bench.workbench.toasts().texts().empty());
    bench.key(GLFW_KEY_ESCAPE);
    bench.frames(2);
    CHECK_FALSE(bench.drawn("tour take"));
    CHECK(bench.workbench.toasts().texts().size() == 1);
    bench.key(GLFW_KEY_P);  // what was said before is not for a class
    CHECK(bench.workbench.toasts().texts().empty());
}

TEST_CASE("steps that were seen are counted up to the lesson's own number") {
    LessonInfo lesson;
    lesson.name = "tour";
    lesson.steps = 4;
    CHECK(steps_seen(lesson, {}) == 0);
    for (const auto& [kept, seen] : {std::pair(3, 3), std::pair(9, 4), std::pair(-1, 0)})
        CHECK(steps_seen(lesson, {{"tour", kept}}) == static_cast<size_t>(seen));
}
