// Leaving a run that is saved, is not, or cannot be.
#include "app/gui/runs/run_keeper.h"

#include <doctest/doctest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "tests/app/gui/runs/kept_bench.h"

using namespace emergence;
using namespace emergence::testing;

TEST_SUITE_BEGIN("threads");

namespace fs = std::filesystem;

TEST_CASE("what a run is left for waits until it is kept") {
    const Scratch scratch;
    KeptBench bench(scratch.path());
    bench.turn(0.0);
    int left = 0;
    std::string way_back;
    const RunKeeper::Then then = [&](Session&, Toasts&, const std::string& back) {
        ++left;
        way_back = back;
    };
    Toasts& toasts = bench.workbench.toasts();
    bench.session->step_once();
    bench.frames();
    bench.desk().leave(*bench.session, toasts, "Open it", then);  // a short one
    CHECK(left == 1);
    CHECK(way_back.find("Ctrl + Z") != std::string::npos);

    bench.turn(11.0);
    bench.wait_until_kept(1);
    bench.session->step_once();
    bench.frames();
    bench.desk().leave(*bench.session, toasts, "Open it", then);
    CHECK(left == 1);
    wait(bench, [&] { return left == 2; });
    bench.wait_until_kept(2);
    CHECK(way_back.find("Ctrl + O") != std::string::npos);
}

TEST_CASE("a run that is not saved is discarded only after a question") {
    const Scratch scratch;
    KeptBench bench(scratch.path());
    int left = 0;
    const RunKeeper::Then then = [&left](Session&, Toasts&, const std::string&) { ++left; };
    Toasts& toasts = bench.workbench.toasts();
    bench.trainer->set_elapsed(100.0);
    bench.session->step_once();
    bench.frames(2);
    const auto ask = [&] {
        bench.desk().leave(*bench.session, toasts, "Open it", then);
        REQUIRE(bench.desk().asks());
        bench.frames(2);
    };
    ask();
    bench.click("leave stay");
    CHECK_FALSE(bench.desk().asks());
    ask();
    bench.key(GLFW_KEY_ESCAPE);
    CHECK_FALSE(bench.desk().asks());
    CHECK(left == 0);
    ask();
    bench.click("leave keep");
    wait(bench, [&] { return left == 1; });
    bench.wait_until_kept(1);
    bench.session->reset();
    bench.session->step_once();
    bench.frames(2);
    ask();
    bench.click("leave go");
    CHECK(left == 2);
}

TEST_CASE("of a dialog and the question the later one counts, and the question lies above all") {
    const Scratch scratch;
    KeptBench bench(scratch.path());
    bench.trainer->set_elapsed(100.0);
    bench.session->step_once();
    bench.frames(2);
    const auto ask = [&] {
        bench.desk().leave(*bench.session, bench.workbench.toasts(), "Open it", [](Session&, Toasts&, const auto&) {});
        bench.frames(3);
    };
    const auto open = [&] { bench.key(GLFW_KEY_O, GLFW_MOD_CONTROL | GLFW_MOD_SHIFT); };
    open();
    ask();
    CHECK_FALSE(bench.workbench.open_dialog().is_open());
    CHECK(bench.gui.log().drawn("panel leave"));
    open();
    bench.frames(2);
    CHECK(bench.workbench.open_dialog().is_open());
    CHECK_FALSE(bench.desk().asks());
    bench.hit(ImGuiKey_Escape);
    CHECK_FALSE(bench.workbench.open_dialog().is_open());
    CHECK_FALSE(bench.desk().asks());  // nothing is asked for any more
    ask();
    bench.key(GLFW_KEY_O, GLFW_MOD_CONTROL);  // the list of runs may stay
    bench.frames(3);
    REQUIRE(bench.workbench.runs_panel().is_open());
    bench.click("leave stay");
    CHECK_FALSE(bench.desk().asks());
}

TEST_CASE("a run that cannot be saved is not left: the question comes again, with the reason") {
    const Scratch scratch;
    spit(scratch / "file", "");
    KeptBench bench(scratch / "file/runs");
    int left = 0;
    const RunKeeper::Then then = [&left](Session&, Toasts&, const std::string&) { ++left; };
    bench.trainer->set_elapsed(100.0);
    bench.session->step_once();
    bench.frames(2);
    bench.desk().leave(*bench.session, bench.workbench.toasts(), "Open it", then);
    bench.frames(2);
    bench.click("leave keep");
    wait(bench, [&] { return !bench.session->banners().empty(); });
    CHECK(bench.session->banners()[0].find("The run is not saved") == 0);
    CHECK(left == 0);
    REQUIRE(bench.desk().asks());
    bench.frames(2);
    bench.click("leave go");
    CHECK(left == 1);
}

TEST_CASE("a run that was saved before it was left stays when room is made") {
    const Scratch scratch;
    KeptBench bench(scratch.path());
    bool left = false;
    bench.trainer->set_elapsed(100.0);
    bench.session->step_once();
    bench.frames(2);
    bench.desk().leave(*bench.session, bench.workbench.toasts(), "Open it",
                       [&left](Session&, Toasts&, const std::string&) { left = true; });
    bench.frames(2);
    bench.click("leave keep");
    wait(bench, [&] { return left; });
    CHECK(run_in(bench.desk().folder(), find_toy).checkpoint->settings.step == 1);
    CHECK_FALSE(fs::exists(bench.desk().folder() / "autosaved"));
}

TEST_SUITE_END();
