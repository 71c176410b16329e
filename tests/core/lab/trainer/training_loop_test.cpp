#include "core/lab/trainer/trainer.h"

#include <doctest/doctest.h>

#include "core/base/error.h"
#include "tests/core/lab/trainer/loop_bench.h"

using namespace emergence;
using namespace emergence::testing;

TEST_SUITE_BEGIN("threads");

TEST_CASE("a restart publishes step 0 at once") {
    LoopBench bench;
    CHECK(bench.look().step == 0);
    CHECK(bench.look().run_number == 1);
    CHECK(bench.look().experiment == "toy");
    CHECK(bench.state() == RunState::running);
    CHECK(bench.rows.size() == 4);
    CHECK(bench.wakes == 1);
    CHECK(LoopBench({}, 0.0, false).state() == RunState::paused);
}

TEST_CASE("the pace is kept, and pauses are not counted") {
    LoopBench bench({}, 1.0);
    bench.play(0.5);
    CHECK(bench.look().step == 0);
    bench.play(1.0);
    CHECK(bench.look().step == 1);
    bench.play(10.0);
    CHECK(bench.look().step == 11);
    CHECK(bench.look().status.steps_per_second == doctest::Approx(1.0));
    CHECK(bench.look().status.pace == 1.0);
    bench.obey(Pause{});
    bench.play(100.0);
    CHECK(bench.state() == RunState::paused);
    CHECK(bench.look().step == 11);
    CHECK(bench.look().status.elapsed_seconds == doctest::Approx(11.5));
    CHECK(bench.look().status.steps_per_second == 0.0);
    bench.obey(Resume{}, SetPace{20.0});
    bench.play(2.0);
    CHECK(bench.look().step == 51);
    CHECK(bench.look().status.elapsed_seconds == doctest::Approx(13.5));
    bench.obey(SetPace{0.0});
    bench.play(0.0);
    CHECK(bench.state() == RunState::finished);
}

TEST_CASE("a pace out of range is refused") {
    LoopBench bench({}, 5.0);
    for (const double pace : {-1.0, std::nan(""), 1e12}) {
        bench.obey(SetPace{pace});
        CHECK(bench.notice().find("pace: ") == 0);
        CHECK(bench.look().status.pace == 5.0);
    }
    CHECK_THROWS_WITH_AS(LoopBench({}, -1.0), doctest::Contains("pace: -1 is neither"), InputError);
}

TEST_CASE("publishing is held back, but the end is shown at once") {
    LoopBench bench({"num_steps=1000"}, 1000.0);
    bench.play(0.5);
    CHECK(bench.wakes <= 1 + 16);
    CHECK(bench.wakes >= 10);
    bench.play(0.1);
    bench.play_to_rest();
    CHECK(bench.look().step == 1000);
    CHECK(bench.state() == RunState::finished);
}

TEST_CASE("steps by hand are taken at once, add up, and end in a pause") {
    LoopBench bench({}, 0.5, false);
    bench.obey(StepOnce{});
    bench.play(0.0);
    CHECK(bench.look().step == 1);
    CHECK(bench.state() == RunState::paused);
    bench.obey(StepOnce{}, StepOnce{3});
    bench.play(0.0);
    CHECK(bench.look().step == 5);
    bench.obey(StepOnce{0});
    CHECK(bench.state() == RunState::paused);
    bench.obey(StepOnce{10}, Resume{});  // runs freely instead
    bench.play(4.0);
    CHECK(bench.look().step == 7);
    bench.obey(StepOnce{std::numeric_limits<int64_t>::max()});
    bench.play(0.0);
    CHECK(bench.look().step == 100);
    CHECK(bench.state() == RunState::finished);
}

TEST_CASE("a finished run stays finished") {
    LoopBench bench;
    bench.play_to_rest();
    const int wakes = bench.wakes;
    bench.obey(StepOnce{}, Resume{}, Pause{});
    bench.play_to_rest();
    CHECK(bench.state() == RunState::finished);
    CHECK(bench.look().step == 100);
    CHECK(bench.wakes == wakes);
}

TEST_CASE("moving the stop condition lets a finished run go on") {
    LoopBench bench;
    bench.play_to_rest();
    bench.obey(set_live("num_steps", int64_t{150}));
    CHECK(bench.state() == RunState::running);
    CHECK(bench.look().status.target_step == 150);
    bench.play_to_rest();
    CHECK(bench.look().step == 150);
    CHECK(bench.state() == RunState::finished);
    CHECK(bench.rows == testing::toy_rows_without_a_window({"num_steps=150"}));
    CHECK(bench.look().settings.integer("num_steps") == 150);
}

TEST_CASE("a paused run that a moved stop condition finished is paused again when it moves back") {
    LoopBench bench({}, 0.0, false);
    bench.obey(StepOnce{50});
    bench.play_to_rest();
    bench.obey(set_live("num_steps", int64_t{40}));
    CHECK(bench.state() == RunState::finished);
    bench.obey(set_live("num_steps", int64_t{60}));
    CHECK(bench.state() == RunState::paused);
    CHECK(bench.look().step == 50);
}

TEST_CASE("live fields act at once, others and bad values are refused") {
    LoopBench bench({}, 0.0, false);
    const double before = bench.look().scalars[0].value;
    bench.obey(set_live("probe", 3.0));
    CHECK(bench.look().scalars[0].value == doctest::Approx(3.0 * before));
    const int wakes = bench.wakes;
    bench.obey(set_live("probe", 3.0));  // changes nothing
    CHECK(bench.wakes == wakes);
    bench.obey(set_live("size", int64_t{2}));
    CHECK(bench.notice() == "size: this setting cannot change during a run. Restart to change it");
    bench.obey(set_live("probe", 11.0));
    CHECK(bench.notice() == "probe: '11' is not a number from -10 to 10");
    bench.obey(set_live("prob", 1.0));
    CHECK(bench.notice() == "unknown field 'prob' (did you mean 'probe'?)");
    CHECK(bench.look().settings.number("probe") == 3.0);
}

TEST_CASE("a refused restart leaves the run alone") {
    LoopBench bench({}, 1.0);
    bench.play(5.5);
    const std::vector<std::pair<Restart, std::string>> refused = {
        {{.experiment = "toy", .settings = toy_settings({"size=16", "num_seeds=8"})},
         "size: size * num_seeds is above 64"},
        {{.experiment = "joy", .settings = toy_settings()}, "unknown experiment 'joy'. Known: toy"},
        {{.experiment = "toy", .settings = toy_settings({"describe_fails_from=0"})}, "the toy cannot be described"}};
    for (const auto& [restart, reason] : refused) {
        bench.obey(restart);
        CHECK(bench.notice() == reason);
        CHECK(bench.look().run_number == 1);
        CHECK(bench.state() == RunState::running);
    }
    bench.play(10.0);
    CHECK(bench.look().step == 15);
}

TEST_CASE("restarts in one batch are one run, and older rows are dropped") {
    LoopBench bench;
    bench.play_to_rest();
    std::vector<Command> dragged;
    for (int i = 1; i <= 8; ++i)
        dragged.emplace_back(Restart{.experiment = "toy", .settings = toy_settings({"size=" + std::to_string(i)})});
    bench.loop.obey(dragged);
    CHECK(bench.look().run_number == 2);
    CHECK(bench.look().settings.integer("size") == 8);
    CHECK(bench.rows.size() == 4);
    bench.play_to_rest();
    bench.look();
    CHECK(bench.rows == testing::toy_rows_without_a_window({"size=8"}));
}

TEST_CASE("a first restart that is refused leaves an empty, failed snapshot") {
    LoopBench bench({"size=16", "num_seeds=8"});
    CHECK(bench.state() == RunState::failed);
    CHECK(bench.look().status.reason == "size: size * num_seeds is above 64");
    CHECK(bench.notice() == bench.look().status.reason);
    bench.obey(Resume{}, StepOnce{}, Pause{}, set_live("probe", 2.0), SetPace{3.0}, SetThreads{2});
    CHECK(bench.state() == RunState::failed);
    CHECK(bench.loop.turn() == std::numeric_limits<double>::infinity());
    bench.obey(Restart{.experiment = "toy", .settings = toy_settings()});
    CHECK(bench.state() == RunState::running);
    CHECK(bench.look().run_number == 2);
    CHECK(bench.look().status.threads == 2);
}

TEST_CASE("when every seed has failed the run has, and a restart helps") {
    LoopBench bench({"all_diverge=true", "diverge_step=34"});
    bench.play_to_rest();
    CHECK(bench.state() == RunState::failed);
    CHECK(bench.look().step == 33);
    CHECK(bench.look().status.reason == "all 4 networks failed; seed 0: the loss is not finite at step 34");
    bench.obey(Resume{}, StepOnce{}, Pause{});
    CHECK(bench.state() == RunState::failed);
    bench.obey(set_live("probe", 2.0));
    CHECK(bench.state() == RunState::failed);
    CHECK(bench.look().settings.number("probe") == 2.0);
    bench.obey(Restart{.experiment = "toy", .settings = toy_settings()});
    bench.play_to_rest();
    CHECK(bench.state() == RunState::finished);
    CHECK(bench.look().status.reason.empty());
}

TEST_CASE("a run that cannot be described fails with its last good snapshot") {
    LoopBench bench({"describe_fails_from=50"}, 10.0);
    bench.play(20.0);
    CHECK(bench.state() == RunState::failed);
    CHECK(bench.look().status.reason == "the toy cannot be described");
    CHECK(bench.look().step == 49);
    CHECK(bench.look().matrices.size() == 1);
    bench.obey(set_live("probe", 2.0));
    CHECK(bench.state() == RunState::failed);
    bench.obey(Restart{.experiment = "toy", .settings = toy_settings()});
    CHECK(bench.state() == RunState::running);
}

TEST_CASE("the number of threads changes nothing but the speed") {
    LoopBench bench({}, 10.0);
    bench.play(2.0);
    bench.obey(SetThreads{3});
    CHECK(bench.look().status.threads == 3);
    bench.obey(SetThreads{0});
    CHECK(bench.notice() == "threads: 0 is not a whole number from 1 to 256");
    bench.play_to_rest();
    bench.look();
    CHECK(bench.rows == testing::toy_rows_without_a_window({}));
}

TEST_SUITE_END();
