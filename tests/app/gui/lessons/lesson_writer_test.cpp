// A lesson is written in the window (Ctrl + L).

#include <string>
#include <vector>

#include "app/lessons/rehearsal.h"
#include "core/files/text.h"
#include "tests/app/gui/lessons/bench_of_lessons.h"

namespace emergence {
namespace {

using testing::BenchOfPanels;
using testing::find_toy;
using testing::Scratch;

struct WriterBench : BenchOfPanels {
    explicit WriterBench(const std::vector<std::string>& changes = {}) : BenchOfPanels(changes) {
        workbench.use_for_lessons(find_toy);
        workbench.files().export_panel().choices().folder = exports.path().string();
        frames(2);
    }
    void type(const std::string& where, const std::string& words) {
        click(where);
        type_on(words);
    }
    void type_on(const std::string& words) {
        for (const char c : words) {
            ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
            frames();
        }
    }
    void draft() {
        key(GLFW_KEY_L, GLFW_MOD_CONTROL);
        frames(3);
    }
    std::vector<std::filesystem::path> files() const {
        std::vector<std::filesystem::path> found;
        for (const auto& entry : std::filesystem::directory_iterator(exports.path())) found.push_back(entry.path());
        return found;
    }
    Lesson written() const {
        REQUIRE(files().size() == 1);
        std::vector<FileFault> faults;
        Lesson lesson = parse_lesson(read_text(files().front()), "lesson.toml", faults);
        CHECK(faults.empty());
        return lesson;
    }
    Scratch exports;
};

}  // namespace

TEST_CASE("a lesson of several steps, with questions and answers, is written in the window") {
    WriterBench bench;
    bench.draft();
    bench.click("writer add");  // nothing is written yet
    CHECK(bench.workbench.lesson_writer().is_open());
    CHECK(bench.files().empty());
    bench.type("writer title", "Probes");
    bench.type("writer text", "Will it fall?");
    bench.type("writer answer 0", "no");
    bench.type("writer answer 1", "yes");
    bench.click("writer right 1");
    bench.type("writer reveal", "It fell.");
    bench.click("writer add");
    bench.frames(2);
    CHECK_FALSE(bench.workbench.lesson_writer().is_open());
    bench.key(GLFW_KEY_L);  // it stands in the list
    bench.frames(2);
    CHECK(bench.gui.log().drawn("lesson " + bench.files().front().stem().string()));
    bench.key(GLFW_KEY_ESCAPE);
    const Lesson first = bench.written();
    CHECK(first.steps.at(0).unlocked.empty());
    CHECK(first.title == "Probes");
    REQUIRE(first.steps.size() == 1);
    CHECK(first.steps[0].text == "Will it fall?");
    CHECK(first.steps[0].reveal == "It fell.");
    REQUIRE(first.steps[0].predict);
    CHECK(std::get<ChoicePrediction>(*first.steps[0].predict).answer == 1);

    bench.session->set_field("probe", 1.5);
    bench.session->step_once();
    bench.frames(2);
    bench.draft();
    bench.type("writer text", "Look at the probe.");
    bench.click("writer add");
    bench.frames(2);
    const Lesson second = bench.written();
    REQUIRE(second.steps.size() == 2);
    CHECK(second.steps[1].opens.empty());
    REQUIRE(second.steps[1].settings.size() == 1);
    CHECK(second.steps[1].settings[0].name == "probe");
    CHECK(second.steps[1].until);

    // Words of a step that was added are changed; nothing else of it is.
    bench.draft();
    bench.click("writer step 1");
    bench.type("writer reveal", " So.");
    bench.click("writer add");
    bench.frames(2);
    const Lesson third = bench.written();
    REQUIRE(third.steps.size() == 2);
    CHECK(third.steps[0].reveal.find("So.") != std::string::npos);
    CHECK(third.steps[0].text == "Will it fall?");
    CHECK(third.steps[1].text == "Look at the probe.");
}

TEST_CASE("a step shows what the window shows, and the lesson's check accepts it") {
    WriterBench bench({"probe=0.5"});
    bench.trainer->send(StepOnce{20});
    bench.frames(3);
    bench.draft();
    bench.type("writer title", "Mine");
    bench.hit(ImGuiKey_Tab);
    bench.type_on("Of {seeds}.");
    bench.click("writer add");
    bench.frames(2);
    const LessonStep step = bench.written().steps.at(0);
    CHECK(step.text == "Of {seeds}.");
    CHECK(step.opens == "toy");
    REQUIRE(step.settings.size() == 1);
    CHECK(step.settings[0].name == "probe");
    CHECK(step.until->text == "step >= 20");
    CHECK(check_lesson(read_text(bench.files().front()), "lesson.toml", bench.exports.path(), find_toy).empty());
}

TEST_CASE("words that are not added stay on the sheet, and a file that was changed elsewhere is left alone") {
    WriterBench bench;
    bench.draft();
    bench.type("writer title", "Mine");
    bench.type("writer text", "Look");
    bench.hit(ImGuiKey_Escape);
    CHECK_FALSE(bench.workbench.lesson_writer().is_open());
    bench.draft();
    bench.click("writer add");
    bench.frames(2);
    const std::filesystem::path file = bench.files().at(0);
    CHECK(bench.written().steps.at(0).text == "Look");

    spit(file, "mine");
    bench.draft();
    bench.type("writer text", "Again");
    bench.click("writer add");
    bench.frames(2);
    CHECK(bench.files().size() == 2);
    CHECK(read_text(file) == "mine");
}

TEST_CASE("long words are broken into lines, and are one text in the lesson") {
    WriterBench bench;
    bench.draft();
    bench.type("writer title", "Mine");
    std::string words;
    for (int i = 0; i < 30; ++i) words += "longer ";
    bench.type("writer text", words);
    bench.click("writer add");
    bench.frames(2);
    words.pop_back();
    CHECK(bench.written().steps.at(0).text == words);
}

}  // namespace emergence
