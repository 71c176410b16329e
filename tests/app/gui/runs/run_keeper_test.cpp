#include "app/gui/runs/run_keeper.h"

#include <doctest/doctest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <chrono>

#include "core/files/folders.h"
#include "tests/app/gui/runs/kept_bench.h"

using namespace emergence;
using namespace emergence::testing;

TEST_SUITE_BEGIN("threads");

namespace fs = std::filesystem;

TEST_CASE("a run is kept at its interval, not before and not twice, and closed in order") {
    const Scratch scratch;
    const fs::path runs = scratch / "data/runs";
    {
        KeptBench bench(runs);
        bench.turn(0.0);
        bench.session->step_once();
        bench.frames();
        bench.turn(5.0);
        CHECK(bench.count_sent<TakeState>() == 0);
        CHECK_FALSE(bench.due(10.0, 9.0));
        CHECK(bench.due(10.0, 11.0));
        CHECK_FALSE(bench.due(0.0, 11.0));
        bench.turn(11.0);
        CHECK(bench.count_sent<TakeState>() == 1);
        bench.wait_until_kept(1);
        bench.turn(29.0);  // nothing has happened since
        CHECK(bench.count_sent<TakeState>() == 1);
        const fs::path folder = bench.desk().folder();
        CHECK(folder.parent_path() == runs);
        CHECK(folder.filename().string().starts_with("toy-20"));
        for (const char* file : {"config.toml", "metrics.csv", "weights.npz", "checkpoint.npz"})
            CHECK(fs::exists(folder / file));
        CHECK(interrupted_runs(runs).empty());  // it is in use
        bench.session->step_once();
        bench.desk().finish(*bench.session);
        CHECK(run_in(folder, find_toy).checkpoint->settings.step == 2);
    }
    CHECK(folders_in(runs).size() == 1);
    CHECK(interrupted_runs(runs).empty());
}

TEST_CASE("another run gets a folder of its own") {
    const Scratch scratch;
    KeptBench bench(scratch.path());
    bench.turn(0.0);
    bench.session->step_once();
    bench.frames();
    bench.turn(11.0);
    bench.wait_until_kept(1);
    const fs::path first = bench.desk().folder();
    bench.session->reset();
    bench.frames();
    bench.turn(12.0);
    CHECK(bench.desk().folder().empty());
    bench.session->step_once();
    bench.session->step_once();
    bench.frames();
    bench.turn(25.0);
    bench.wait_until_kept(2);
    CHECK(bench.desk().folder() != first);
    CHECK(run_in(first, find_toy).checkpoint->settings.step == 1);
}

TEST_CASE("Ctrl + S saves at once and for good, and a folder is opened as it was") {
    const Scratch scratch;
    fs::path folder;
    {
        KeptBench bench(scratch.path(), {"num_seeds=2"});
        bench.session->step_once();
        bench.frames();
        bench.key(GLFW_KEY_S, GLFW_MOD_CONTROL);
        wait(bench, [&] { return !bench.workbench.toasts().texts().empty(); });
        folder = bench.desk().folder();
        CHECK(bench.workbench.toasts().texts()[0] == "Saved the run as " + folder.filename().string());
        CHECK_FALSE(fs::exists(folder / "autosaved"));
        bench.desk().finish(*bench.session);
    }
    BenchOfPanels other;  // without a folder of its own
    other.workbench.door().open({folder / "checkpoint.npz"}, *other.session);
    wait(other, [&] { return other.snapshot().seeds.size() == 2; });
    CHECK(other.snapshot().step == 1);
    other.session->reset();  // another run, for which there is no place
    other.frames(2);
    other.key(GLFW_KEY_S, GLFW_MOD_CONTROL);
    REQUIRE(other.session->banners().size() == 1);
    CHECK(other.session->banners()[0].find("cannot be saved") != std::string::npos);
}

TEST_CASE("a run that has ended is kept at once, and is not offered after a crash") {
    const Scratch scratch;
    fs::path folder;
    {
        KeptBench bench(scratch.path(), {"num_steps=3"});
        bench.turn(0.0);
        bench.session->step_once();
        bench.frames();
        bench.turn(11.0);
        bench.wait_until_kept(1);
        bench.session->step_once();
        bench.frames();
        CHECK_FALSE(bench.due(10.0, 12.5));
        bench.session->step_once();
        bench.frames();
        REQUIRE(bench.snapshot().status.state == RunState::finished);
        CHECK(bench.due(10.0, 12.5));
        bench.turn(12.5);
        bench.wait_until_kept(3);
        folder = bench.desk().folder();
        CHECK_FALSE(bench.due(10.0, 100.0));
    }  // nobody has closed it
    CHECK(interrupted_runs(scratch.path()).size() == 1);
    KeptBench next(scratch.path());
    wait(next, [&] { return interrupted_runs(scratch.path()).empty(); });
    next.frames(5);
    CHECK(next.desk().offer() == nullptr);
    CHECK(run_in(folder, find_toy).finished);
}

TEST_CASE("a folder that cannot be written is said once, and training goes on") {
    const Scratch scratch;
    spit(scratch / "file", "");
    KeptBench bench(scratch / "file/runs");
    bench.turn(0.0);
    for (int i = 1; i < 4; ++i) {
        bench.session->step_once();
        bench.frames();
        bench.turn(20.0 * i);
        wait(bench, [&] { return i > 1 || !bench.session->banners().empty(); });
    }
    REQUIRE(bench.session->banners().size() == 1);
    CHECK(bench.session->banners()[0].find("The run is not saved") == 0);
    CHECK(bench.snapshot().step == 3);
}

TEST_CASE("folders that nobody asked for make room, those that were saved stay") {
    const Scratch scratch;
    for (size_t i = 0; i < kMostAutosaved + 3; ++i) {
        fs::create_directory(scratch / ("toy-" + std::to_string(i)));
        spit(scratch / ("toy-" + std::to_string(i)) / "autosaved", "");
    }
    fs::create_directory(scratch / "kept");
    // The oldest is being written by another program.
    fs::last_write_time(scratch / "toy-0", fs::file_time_type::clock::now() - std::chrono::hours(1));
    const auto lock = FolderLock::take(scratch / "toy-0");
    const fs::path folder = interrupted_at(2, scratch.path(), {});
    CHECK(folders_in(scratch.path()).size() == kMostAutosaved + 3);
    CHECK(fs::exists(scratch / "kept"));
    CHECK(fs::exists(scratch / "toy-0"));
    CHECK(fs::exists(folder));
}

TEST_CASE("a run that was to be saved when the window closed is saved") {
    const Scratch scratch;
    {
        KeptBench bench(scratch.path());
        bench.session->step_once();
        bench.frames();
        bench.desk().save(*bench.session);
        bench.desk().finish(*bench.session);
    }
    REQUIRE(folders_in(scratch.path()).size() == 1);
    CHECK(run_in(folders_in(scratch.path())[0], find_toy).checkpoint->settings.step == 1);
    CHECK_FALSE(fs::exists(folders_in(scratch.path())[0] / "autosaved"));
}

TEST_SUITE_END();
