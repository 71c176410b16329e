#include "app/gui/lessons/lecture.h"

#include <doctest/doctest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "tests/app/gui/runs/kept_bench.h"

using namespace emergence;
using namespace emergence::testing;

namespace {

void say(BenchOfPanels& bench, const std::string& sentence) {
    bench.key(GLFW_KEY_C);
    REQUIRE(bench.workbench.lecture().is_open());
    bench.frames(2);
    for (const char c : sentence) ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(c));
    bench.frames(2);
    bench.workbench.press({GLFW_KEY_ESCAPE, 0, false, false}, *bench.session);
    bench.frames(2);
    REQUIRE_FALSE(bench.workbench.lecture().is_open());
}

}  // namespace

TEST_CASE("cues are dropped, replayed with their pictures, and saved with the run") {
    const Scratch runs;
    std::vector<Cue> cues;
    {
        KeptBench bench(runs.path());
        const std::vector<std::string> home = bench.workbench.stage().places().stage;
        CHECK_FALSE(bench.workbench.why_not(Action::play_cues, *bench.session).empty());
        bench.trainer->send(StepOnce{20});
        bench.frames(2);
        bench.workbench.stage().bring({"loss"});
        bench.frames(2);
        say(bench, "It falls.");
        bench.trainer->send(StepOnce{40});
        bench.frames(2);
        bench.workbench.stage().reset();
        bench.frames(2);
        say(bench, "The end.");
        REQUIRE(bench.workbench.lecture().cues().size() == 2);
        bench.key(GLFW_KEY_C, GLFW_MOD_SHIFT);
        REQUIRE(bench.workbench.lecture().playing());
        bool first = false, second = false;
        for (int i = 0; i < 5000 && bench.workbench.lecture().playing(); ++i) {
            bench.frames();
            const bool speaks = bench.gui.log().drawn("panel lecture");
            const std::vector<std::string>& stage = bench.workbench.stage().places().stage;
            first = first || (speaks && stage == std::vector<std::string>{"loss"} && bench.snapshot().step == 20);
            second = second || (first && speaks && stage == home && bench.snapshot().step == 60);
        }
        CHECK(first);
        CHECK(second);
        // The window's own choice of pictures comes back.
        CHECK_FALSE(bench.workbench.lecture().playing());
        CHECK_FALSE(bench.workbench.stage().own());
        wait(bench, [&] { return !bench.desk().folder().empty() && cues_in(bench.desk().folder()).size() == 2; });
        cues = cues_in(bench.desk().folder());
    }
    CHECK(cues[0].sentence == "It falls.");
    CHECK(cues[0].stage == std::vector<std::string>{"loss"});
    KeptBench bench(runs.path());
    const std::vector<std::filesystem::path> saved = folders_in(runs.path());
    REQUIRE(saved.size() == 1);
    bench.desk().open(saved[0], find_toy, false);
    wait(bench, [&] { return bench.workbench.lecture().cues() == cues; });
    CHECK(bench.workbench.why_not(Action::play_cues, *bench.session).empty());
}

TEST_CASE("another run has no cues of the former, and a lesson takes none") {
    BenchOfPanels bench;
    bench.frames(2);
    say(bench, "Here.");
    CHECK(bench.workbench.lecture().cues().size() == 1);
    bench.key(GLFW_KEY_R);
    bench.frames(3);
    CHECK(bench.workbench.lecture().cues().empty());
}
