// Interrupted runs, offered and resumed.
#include "app/gui/runs/run_keeper.h"

#include <doctest/doctest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/open/run_folder.h"
#include "tests/app/gui/runs/kept_bench.h"

using namespace emergence;
using namespace emergence::testing;

TEST_SUITE_BEGIN("threads");

namespace fs = std::filesystem;

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
    wait(bench, [&] { return bench.desk().offer() != nullptr; });
    CHECK(bench.desk().offer()->folder == folder);
    bench.frames(2);
    bench.click("offer go on");
    wait(bench, [&] { return bench.snapshot().step == 17; });
    CHECK(bench.desk().offer() == nullptr);
    CHECK(bench.session->banners().empty());
    CHECK(bench.session->settings() == toy_settings(changes));
    CHECK(bench.desk().folder() == folder);
    CHECK(bench.session->history().steps().front() == 0.0);  // what was logged before is there too
    bench.session->toggle_running();
    wait(bench, [&] { return bench.snapshot().step == 40; });

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
        wait(bench, [&] { return bench.desk().offer() != nullptr; });
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
            wait(bench, [&] { return bench.snapshot().step == from; });
            CHECK(bench.desk().folder() == folder);
            bench.session->step_once();
            bench.frames();
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
    wait(other, [&] { return other.snapshot().step == 9; });
    CHECK(other.desk().folder().empty());
    REQUIRE(other.session->banners().size() == 1);
    CHECK(other.session->banners()[0].find("another program writes there") != std::string::npos);
}

TEST_CASE("a damaged checkpoint is said and the one before it used; two damaged ones change nothing") {
    const Scratch scratch;
    const fs::path folder = interrupted_at(3, scratch.path(), {});
    fs::copy(folder / "checkpoint.npz", folder / "checkpoint-before.npz");
    const std::string sound = slurp(folder / "checkpoint.npz");
    spit(folder / "checkpoint.npz", sound.substr(0, sound.size() / 2));
    {
        KeptBench bench(scratch.path());
        wait(bench, [&] { return bench.desk().offer() != nullptr; });
        bench.desk().answer(true);
        wait(bench, [&] { return bench.snapshot().step == 3; });
        REQUIRE(bench.session->banners().size() == 1);
        CHECK(bench.session->banners()[0].find("the one before it is used") != std::string::npos);
    }
    spit(folder / "checkpoint.npz", sound.substr(0, sound.size() / 2));  // the damaged file got another name
    {
        KeptBench started(scratch / "others");  // with the folder
        const RunToOpen run = run_in(folder, find_toy);
        started.desk().began_with(run, *started.session);
        REQUIRE(started.session->banners().size() == 1);
        CHECK(started.session->banners()[0].find("the one before it is used") != std::string::npos);
    }
    spit(folder / "checkpoint-before.npz", "none");
    spit(folder / "checkpoint.npz", "none");
    KeptBench bench(scratch.path());
    wait(bench, [&] { return !bench.session->banners().empty(); });
    CHECK(bench.session->banners()[0].find("cannot be resumed") != std::string::npos);
    CHECK(bench.desk().offer() == nullptr);
    bench.session->dismiss_banner(0);
    bench.workbench.door().open({folder}, *bench.session);
    wait(bench, [&] { return !bench.session->banners().empty(); });
    CHECK(bench.snapshot().step == 0);
}

TEST_SUITE_END();
