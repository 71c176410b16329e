// The moments that a training loop stores: what they hold, and how they are thinned.
#include "core/lab/trainer/trainer.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/core/lab/trainer/loop_bench.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using namespace emergence::testing;

TEST_SUITE_BEGIN("threads");

namespace {

void stop_bench_at(int64_t step, LoopBench& bench) {
    bench.obey(StepOnce{step});
    bench.play_to_rest();
    bench.obey(TakeState{});
    bench.look();
    REQUIRE(bench.saved);
}

Checkpoint checkpoint_of_bench(const LoopBench& bench) {
    Checkpoint checkpoint;
    checkpoint.settings.step = bench.saved->state.step;
    checkpoint.seeds = bench.saved->state.seeds;
    checkpoint.rows = bench.rows;
    checkpoint.moments = bench.saved->moments;
    return checkpoint;
}

Restart resumed_bench(const LoopBench& bench, const Checkpoint& checkpoint) {
    return {.experiment = "toy",
            .settings = bench.saved->state.settings,
            .run_now = false,
            .from = std::make_shared<const Checkpoint>(checkpoint)};
}

std::vector<int64_t> steps_in(const SnapshotHistory& moments) {
    std::vector<int64_t> steps;
    for (const auto& moment : moments.moments()) steps.push_back(moment->step);
    return steps;
}

}  // namespace

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
        RunOf fresh(toy_info(), toy_settings({"num_steps=900"}));
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
    stop_bench_at(1000, bench);
    const auto before = std::make_shared<const SnapshotHistory>(bench.moments);
    REQUIRE(before->moments().size() == 101);
    const Checkpoint checkpoint = checkpoint_of_bench(bench);
    CHECK(checkpoint.moments.size() < 101);
    Restart restart = resumed_bench(bench, checkpoint);
    restart.past = before;
    bench.obey(restart);
    bench.look();
    CHECK(bench.moments.moments().size() == 101);
    CHECK(bench.moments.moments().front()->run_number == 2);
    CHECK(same_picture(*bench.moments.moments()[50], *before->moments()[50]));
}

TEST_CASE("moments wake the window no oftener than a display needs") {
    LoopBench bench({"num_steps=100000", "log_interval=1"}, 2000.0);
    bench.play(1.0);
    CHECK(bench.wakes >= 20);
    CHECK(bench.wakes <= 32);
    bench.look();
    CHECK(bench.moments.moments().size() > 128);
}

// A run that is resumed with its saved moments can be looked through from its beginning.

TEST_CASE("a resumed run has the moments that were saved with it") {
    LoopBench first({"num_steps=60"}, 0.0, false), second;
    stop_bench_at(45, first);
    REQUIRE(first.saved->moments.size() == 5);
    CHECK(first.saved->moments.back().step == 40);

    second.obey(resumed_bench(first, checkpoint_of_bench(first)));
    second.look();
    CHECK(steps_in(second.moments) == std::vector<int64_t>{0, 10, 20, 30, 40, 45});
    const Snapshot& past = *second.moments.nearest(20);
    CHECK(past.run_number == second.latest->run_number);
    CHECK(past.matrices[0].seeds[0].values == first.moments.nearest(20)->matrices[0].seeds[0].values);

    // What it saves later begins at step 0 too.
    second.obey(StepOnce{15}, Resume{});
    second.play_to_rest();
    second.obey(TakeState{});
    second.look();
    REQUIRE(second.saved);
    CHECK(second.saved->moments.size() == 7);
    CHECK(second.saved->moments[2] == first.saved->moments[2]);
}

TEST_CASE("a run of an earlier version, which logged fewer metrics, comes with rows of this version") {
    LoopBench first({"num_steps=60"}, 0.0, false), second;
    stop_bench_at(45, first);
    Checkpoint older = checkpoint_of_bench(first);
    const auto study = toy_info().make(first.saved->state.settings);
    for (const MetricInfo& metric : study->metrics()) older.metrics.push_back(metric.name);
    older.metrics.erase(older.metrics.begin());
    for (MetricRow& row : older.rows) row.values.erase(row.values.begin());
    second.obey(resumed_bench(first, older));
    second.look();
    REQUIRE(second.rows.size() == first.rows.size());
    CHECK(std::isnan(second.rows.back().values.front()));
    CHECK(second.rows.back().values.back() == first.rows.back().values.back());
}

TEST_CASE("moments that do not fit leave a run that can be resumed") {
    LoopBench first({"num_steps=60"}, 0.0, false), second;
    stop_bench_at(45, first);
    Checkpoint broken = checkpoint_of_bench(first);
    broken.moments[1].seeds.pop_back();
    second.obey(resumed_bench(first, broken));
    CHECK(second.look().step == 45);
    CHECK(steps_in(second.moments) == std::vector<int64_t>{45});
    CHECK(holds(second.notice(), "moments"));
}

TEST_SUITE_END();
