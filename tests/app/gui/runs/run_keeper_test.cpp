#include "app/gui/runs/run_keeper.h"

#include <doctest/doctest.h>

#include <chrono>

#include "app/open/run_folder.h"
#include "core/files/folders.h"
#include "tests/app/gui/runs/kept_bench.h"
#include "tests/support/scratch.h"

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
        bench.step();
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
    bench.keep_first_step();
    const fs::path first = bench.desk().folder();
    bench.session->reset();
    bench.frames();
    bench.turn(12.0);
    CHECK(bench.desk().folder().empty());
    bench.session->step_once();
    bench.step();
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
        bench.step();
        bench.key(GLFW_KEY_S, GLFW_MOD_CONTROL);
        bench.wait([&] { return !bench.workbench.toasts().texts().empty(); });
        folder = bench.desk().folder();
        CHECK(bench.workbench.toasts().texts()[0] == "Saved the run as " + folder.filename().string());
        CHECK_FALSE(fs::exists(folder / "autosaved"));
        bench.desk().finish(*bench.session);
    }
    BenchOfPanels other;  // without a folder of its own
    other.workbench.door().open({folder / "checkpoint.npz"}, *other.session);
    other.wait([&] { return other.snapshot().seeds.size() == 2; });
    CHECK(other.snapshot().step == 1);
    other.session->reset();  // another run, for which there is no place
    other.frames(2);
    other.key(GLFW_KEY_S, GLFW_MOD_CONTROL);
    other.check_banner("cannot be saved");
}

TEST_CASE("a run that has ended is kept at once, and is not offered after a crash") {
    const Scratch scratch;
    fs::path folder;
    {
        KeptBench bench(scratch.path(), {"num_steps=3"});
        bench.keep_first_step();
        bench.step();
        CHECK_FALSE(bench.due(10.0, 12.5));
        bench.step();
        REQUIRE(bench.snapshot().status.state == RunState::finished);
        CHECK(bench.due(10.0, 12.5));
        bench.turn(12.5);
        bench.wait_until_kept(3);
        folder = bench.desk().folder();
        CHECK_FALSE(bench.due(10.0, 100.0));
    }  // nobody has closed it
    CHECK(interrupted_runs(scratch.path()).size() == 1);
    KeptBench next(scratch.path());
    next.wait([&] { return interrupted_runs(scratch.path()).empty(); });
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
        bench.step();
        bench.turn(20.0 * i);
        bench.wait([&] { return i > 1 || !bench.session->banners().empty(); });
    }
    bench.check_banner("The run is not saved");
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
    bench.step();
    bench.desk().leave(*bench.session, toasts, then);  // a short one
    CHECK(left == 1);
    CHECK(holds(way_back, "Ctrl + Z"));

    bench.turn(11.0);
    bench.wait_until_kept(1);
    bench.step();
    bench.desk().leave(*bench.session, toasts, then);
    CHECK(left == 1);
    bench.wait([&] { return left == 2; });
    bench.wait_until_kept(2);
    CHECK(holds(way_back, "Ctrl + O"));
}

TEST_CASE("a run that cannot be saved is left all the same, with the reason, and undo returns to it") {
    const Scratch scratch;
    spit(scratch / "file", "");
    KeptBench bench(scratch / "file/runs");
    std::string way_back;
    bench.trainer->set_elapsed(100.0);
    bench.step();
    bench.desk().leave(*bench.session, bench.workbench.toasts(),
                       [&](Session&, Toasts&, const std::string& back) { way_back = back; });
    bench.wait([&] { return !way_back.empty(); });
    CHECK(holds(way_back, "Ctrl + Z"));
    REQUIRE_FALSE(bench.session->banners().empty());
    CHECK(bench.session->banners()[0].find("The run is not saved") == 0);
}

TEST_CASE("an interrupted run is offered, and gone on with to the same bits") {
    const Scratch scratch;
    const std::vector<std::string> changes = {"learning_rate=0.03", "num_steps=40", "num_seeds=3"};
    std::shared_ptr<const Snapshot> whole;
    MetricHistory whole_history;
    {
        BenchOfPanels uninterrupted(changes, {1600, 1000}, true);
        uninterrupted.frames(10);
        whole = uninterrupted.session->snapshot();
        whole_history = uninterrupted.session->history();
        REQUIRE(whole->step == 40);
    }
    const fs::path folder = interrupted_at(17, scratch.path(), changes);
    KeptBench bench(scratch.path());
    bench.wait([&] { return bench.desk().offer() != nullptr; });
    CHECK(bench.desk().offer()->folder == folder);
    bench.frames(2);
    bench.click("offer go on");
    bench.wait([&] { return bench.snapshot().step == 17; });
    CHECK(bench.desk().offer() == nullptr);
    CHECK(bench.session->banners().empty());
    CHECK(bench.session->settings() == toy_settings(changes));
    CHECK(bench.desk().folder() == folder);
    CHECK(bench.session->history().steps().front() == 0.0);  // what was logged before is there too
    bench.session->toggle_running();
    bench.wait([&] { return bench.snapshot().step == 40; });

    CHECK(bench.snapshot().matrices[0].seeds == whole->matrices[0].seeds);
    CHECK(bench.session->history().steps() == whole_history.steps());
    for (int k = 0; k < 3; ++k)
        for (const MetricInfo& metric : whole_history.table())
            CHECK(bench.session->history().column(metric.name, k) == whole_history.column(metric.name, k));
    // It goes on in its own folder.
    bench.desk().finish(*bench.session);
    CHECK(run_in(folder, find_toy).checkpoint->settings.step == 40);
    CHECK(folders_in(scratch.path()).size() == 1);
}

TEST_CASE("a declined run stays and is not offered again") {
    const Scratch scratch;
    const fs::path folder = interrupted_at(3, scratch.path(), {});
    {
        KeptBench bench(scratch.path());
        bench.wait([&] { return bench.desk().offer() != nullptr; });
        bench.frames(2);
        bench.click("offer leave");
        bench.desk().finish(*bench.session);
    }
    KeptBench bench(scratch.path());
    bench.desk().finish(*bench.session);
    bench.frames(2);
    CHECK(bench.desk().offer() == nullptr);
    CHECK(run_in(folder, find_toy).checkpoint->settings.step == 3);
}

TEST_CASE("a run of any folder goes on in it, and stays one run") {
    const Scratch scratch;
    const fs::path folder = interrupted_at(7, scratch / "elsewhere", {"num_steps=40"});
    const std::string config = slurp(folder / "config.toml");
    for (const bool at_start : {false, true}) {
        CAPTURE(at_start);
        const int64_t from = *run_in(folder, find_toy).checkpoint->settings.step;
        {
            KeptBench bench(scratch / "runs", {"num_steps=40"});
            if (at_start) {  // emergence DIR: the session is made with it
                const RunToOpen run = run_in(folder, find_toy);
                bench.desk().began_with(run, *bench.session);
                bench.session->resume(*run.experiment, run.settings, run.checkpoint);
            } else {
                bench.workbench.door().open({folder}, *bench.session);
            }
            bench.wait([&] { return bench.snapshot().step == from; });
            CHECK(bench.desk().folder() == folder);
            bench.step();
            bench.desk().finish(*bench.session);
        }
        CHECK(*run_in(folder, find_toy).checkpoint->settings.step == from + 1);
        CHECK_FALSE(fs::exists(scratch / "runs"));
    }
    CHECK(slurp(folder / "config.toml") == config);
    // Where another window has it, it is left alone, which is said.
    const auto in_use = RunFolder::claim(folder);
    KeptBench other(scratch / "others");
    other.workbench.door().open({folder}, *other.session);
    other.wait([&] { return other.snapshot().step == 9; });
    CHECK(other.desk().folder().empty());
    other.check_banner("another program writes there");
}

TEST_CASE("a damaged checkpoint is said and the one before it used; two damaged ones change nothing") {
    const Scratch scratch;
    const fs::path folder = interrupted_at(3, scratch.path(), {});
    fs::copy(folder / "checkpoint.npz", folder / "checkpoint-before.npz");
    const std::string sound = slurp(folder / "checkpoint.npz");
    spit(folder / "checkpoint.npz", sound.substr(0, sound.size() / 2));
    {
        KeptBench bench(scratch.path());
        bench.wait([&] { return bench.desk().offer() != nullptr; });
        bench.desk().answer(true);
        bench.wait([&] { return bench.snapshot().step == 3; });
        bench.check_banner("using the previous one");
    }
    spit(folder / "checkpoint.npz", sound.substr(0, sound.size() / 2));  // the damaged file got another name
    {
        KeptBench started(scratch / "others");  // with the folder
        const RunToOpen run = run_in(folder, find_toy);
        started.desk().began_with(run, *started.session);
        started.check_banner("using the previous one");
    }
    spit(folder / "checkpoint-before.npz", "none");
    spit(folder / "checkpoint.npz", "none");
    KeptBench bench(scratch.path());
    bench.wait([&] { return !bench.session->banners().empty(); });
    CHECK(holds(bench.session->banners()[0], "cannot be resumed"));
    CHECK(bench.desk().offer() == nullptr);
    bench.session->dismiss_banner();
    bench.workbench.door().open({folder}, *bench.session);
    bench.wait([&] { return !bench.session->banners().empty(); });
    CHECK(bench.snapshot().step == 0);
}

TEST_SUITE_END();
