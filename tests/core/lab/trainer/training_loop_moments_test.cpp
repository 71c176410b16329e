// The moments that a training loop stores: what they hold, and how they are thinned.
#include "core/lab/trainer/training_loop.h"

#include <doctest/doctest.h>

#include "tests/core/lab/trainer/loop_bench.h"

using namespace emergence;
using emergence::testing::LoopBench;
using emergence::testing::same_picture;
using emergence::testing::set_live;
using emergence::testing::toy_settings;

TEST_SUITE_BEGIN("threads");

TEST_CASE("a moment is the snapshot of a fresh run at that step, whatever the pace, the pauses and the threads") {
    LoopBench fast({"num_steps=900"});
    fast.obey(SetThreads{2});
    fast.play_to_rest();
    fast.look();
    LoopBench slow({"num_steps=900"}, 37.0);
    slow.play(3.3);
    slow.obey(Pause{});
    slow.play(10.0);
    slow.obey(StepOnce{17}, SetPace{1234.0});
    slow.play(1.0);
    slow.obey(Resume{});
    slow.play_to_rest();
    slow.look();
    REQUIRE(fast.moments.moments().size() == 91);
    REQUIRE(slow.moments.moments().size() == 91);
    for (size_t i = 0; i < 91; ++i) {
        const Snapshot& moment = *fast.moments.moments()[i];
        CHECK(moment.step == static_cast<int64_t>(10 * i));
        CHECK(same_picture(moment, *slow.moments.moments()[i]));
        ThreadPool pool(1);
        Run fresh(testing::toy_info().make(toy_settings({"num_steps=900"})), pool);
        fresh.advance_to(moment.step);
        const Snapshot evaluated = fresh.study().inspect(moment, {"evaluate", moment.settings});
        CHECK(same_picture(evaluated, fresh.snapshot()));
        CHECK(evaluated.evaluated);
    }
}

TEST_CASE("moments are thinned in a long run, begin anew with a run, and stay after a failure") {
    LoopBench bench({"num_steps=20000"});
    bench.play_to_rest();
    bench.look();
    CHECK(bench.moments.stride() == 80);
    CHECK(bench.moments.moments().size() == 251);
    bench.obey(Restart{"toy", toy_settings({"all_diverge=true", "diverge_step=35"}), true});
    bench.play_to_rest();
    CHECK(bench.state() == RunState::failed);
    CHECK(bench.moments.moments().size() == 4);
    CHECK(bench.moments.moments().back()->step == 30);
    CHECK(bench.moments.moments().back()->run_number == 2);
}

TEST_CASE("a run that comes back has all the moments that it had, more than a checkpoint saves") {
    LoopBench bench({"num_steps=2000"}, 0.0, false);
    bench.obey(StepOnce{1000});
    bench.play_to_rest();
    bench.obey(TakeState{});
    const Published published = bench.outbox.take();
    REQUIRE(published.saved);
    REQUIRE(published.moments);
    REQUIRE(published.moments->moments().size() == 101);
    auto checkpoint = std::make_shared<Checkpoint>();
    checkpoint->settings.step = 1000;
    checkpoint->seeds = published.saved->state.seeds;
    checkpoint->rows = published.rows;
    checkpoint->moments = published.saved->moments;
    CHECK(checkpoint->moments.size() < 101);
    bench.obey(Restart{"toy", published.saved->state.settings, false, checkpoint, published.moments});
    bench.look();
    CHECK(bench.moments.moments().size() == 101);
    CHECK(bench.moments.moments().front()->run_number == 2);
    CHECK(same_picture(*bench.moments.moments()[50], *published.moments->moments()[50]));
}

TEST_CASE("moments wake the window no oftener than a display needs") {
    LoopBench bench({"num_steps=100000", "log_interval=1"}, 2000.0);
    bench.play(1.0);
    CHECK(bench.wakes >= 20);
    CHECK(bench.wakes <= 32);
    bench.look();
    CHECK(bench.moments.moments().size() > 128);
}

TEST_SUITE_END();
