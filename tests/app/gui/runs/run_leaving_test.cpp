// Leaving a run: it is kept first.
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
    bench.desk().leave(*bench.session, toasts, then);  // a short one
    CHECK(left == 1);
    CHECK(way_back.find("Ctrl + Z") != std::string::npos);

    bench.turn(11.0);
    bench.wait_until_kept(1);
    bench.session->step_once();
    bench.frames();
    bench.desk().leave(*bench.session, toasts, then);
    CHECK(left == 1);
    wait(bench, [&] { return left == 2; });
    bench.wait_until_kept(2);
    CHECK(way_back.find("Ctrl + O") != std::string::npos);
}

TEST_CASE("a longer run without a folder is kept before it is left, and goes when room is made") {
    const Scratch scratch;
    KeptBench bench(scratch.path());
    bool left = false;
    bench.trainer->set_elapsed(100.0);
    bench.session->step_once();
    bench.frames(2);
    bench.desk().leave(*bench.session, bench.workbench.toasts(),
                       [&left](Session&, Toasts&, const std::string&) { left = true; });
    CHECK_FALSE(left);
    wait(bench, [&] { return left; });
    CHECK(run_in(bench.desk().folder(), find_toy).checkpoint->settings.step == 1);
    CHECK(fs::exists(bench.desk().folder() / "autosaved"));
}

TEST_CASE("a run that cannot be saved is left all the same, with the reason, and undo returns to it") {
    const Scratch scratch;
    spit(scratch / "file", "");
    KeptBench bench(scratch / "file/runs");
    std::string way_back;
    bench.trainer->set_elapsed(100.0);
    bench.session->step_once();
    bench.frames(2);
    bench.desk().leave(*bench.session, bench.workbench.toasts(),
                       [&](Session&, Toasts&, const std::string& back) { way_back = back; });
    wait(bench, [&] { return !way_back.empty(); });
    CHECK(way_back.find("Ctrl + Z") != std::string::npos);
    REQUIRE_FALSE(bench.session->banners().empty());
    CHECK(bench.session->banners()[0].find("The run is not saved") == 0);
}

TEST_SUITE_END();
