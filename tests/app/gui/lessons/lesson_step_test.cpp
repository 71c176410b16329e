// A lesson is begun in the window (Ctrl + L), step by step.

#include <string>

#include "app/lessons/rehearsal.h"
#include "core/files/text.h"
#include "tests/app/gui/lessons/bench_of_lessons.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

using namespace testing;

struct WriterBench : BenchOfPanels {
    explicit WriterBench(const std::vector<std::string>& changes = {}) : BenchOfPanels(changes) {
        workbench.use_for_lessons(find_toy);
        workbench.files().export_panel().choices().folder = exports.path().string();
        frames(2);
    }
    void append() {
        key(GLFW_KEY_L, GLFW_MOD_CONTROL);
        frames(3);
    }
    Lesson written() const {
        std::vector<FileFault> faults;
        Lesson lesson = parse_lesson(read_text(file), "my_lesson.toml", faults);
        CHECK(faults.empty());
        return lesson;
    }
    Scratch exports;
    std::filesystem::path file = exports / "my_lesson.toml";
};

}  // namespace

TEST_CASE("a step shows what the window shows, the next one goes on, and the lesson's check accepts them") {
    WriterBench bench({"probe=0.5"});
    bench.trainer->send(StepOnce{20});
    bench.frames(3);
    bench.append();
    CHECK(holds(bench.workbench.toasts().texts().back(), bench.file.string()));
    const LessonStep first = bench.written().steps.at(0);
    CHECK(holds(first.text, ", at step 20."));
    CHECK(first.opens == "toy");
    REQUIRE(first.settings.size() == 1);
    CHECK(first.settings[0].name == "probe");
    CHECK(first.until->text == "step >= 20");
    CHECK(check_lesson(read_text(bench.file), "my_lesson.toml", bench.exports.path(), find_toy).empty());

    bench.session->set_field("probe", 1.5);
    bench.step();
    bench.append();
    const Lesson both = bench.written();
    REQUIRE(both.steps.size() == 2);
    CHECK(both.steps[1].opens.empty());
    REQUIRE(both.steps[1].settings.size() == 1);
    CHECK(both.steps[1].settings[0].name == "probe");
    CHECK(both.steps[1].until);
    bench.key(GLFW_KEY_L);  // it stands in the list
    bench.frames(2);
    CHECK(bench.drawn("lesson my_lesson"));
}

TEST_CASE("what was written into the file stays, and a file that has gone begins anew") {
    WriterBench bench;
    bench.append();
    std::string text = read_text(bench.file);
    text.replace(text.find("My lesson"), 9, "Probes");
    spit(bench.file, text);
    bench.append();
    CHECK(bench.written().title == "Probes");
    CHECK(bench.written().steps.size() == 2);
    std::filesystem::remove(bench.file);
    bench.append();
    REQUIRE(bench.written().steps.size() == 1);
    CHECK(bench.written().steps[0].opens == "toy");
}

}  // namespace emergence
