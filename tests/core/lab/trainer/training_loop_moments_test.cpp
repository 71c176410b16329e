// The moments that a training loop stores: what they hold, and how they are thinned.
#include "core/lab/trainer/trainer.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/core/lab/trainer/loop_bench.h"
#include "tests/support/scratch.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using namespace emergence::testing;

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

// A run that is resumed with its saved moments can be looked through from its beginning.

TEST_SUITE_BEGIN("threads");

namespace emergence {
namespace {

// A loop that trains its first run to `steps` and stops there.
struct LoopOfMoments {
    explicit LoopOfMoments(const Restart& first, int64_t steps) : loop(options(), outbox, [] { return 0.0; }) {
        loop.obey({Command(first)});
        if (steps == 0) return;
        loop.obey({Command(StepOnce{steps})});
        for (int i = 0; i < 1000 && !outbox_is_at(steps); ++i) loop.turn();
        loop.obey({Command(TakeState{})});
        take();
    }
    static Trainer::Options options() {
        Trainer::Options result;
        result.find_experiment = find_toy;
        return result;
    }
    bool outbox_is_at(int64_t step) { return take() && latest->step >= step; }
    bool take() {
        Published published = outbox.take();
        if (published.snapshot) latest = published.snapshot;
        if (published.moments) moments = published.moments;
        if (published.saved) saved = published.saved;
        rows.insert(rows.end(), published.rows.begin(), published.rows.end());
        return latest != nullptr;
    }
    std::vector<int64_t> steps() const {
        std::vector<int64_t> all;
        for (const auto& moment : moments->moments()) all.push_back(moment->step);
        return all;
    }

    Outbox outbox;
    TrainingLoop loop;
    std::shared_ptr<const Snapshot> latest;
    std::shared_ptr<const SnapshotHistory> moments;
    std::shared_ptr<const SavedRun> saved;
    std::vector<MetricRow> rows;
};

Restart resumed_from(const LoopOfMoments& loop) {
    auto checkpoint = std::make_shared<Checkpoint>();
    checkpoint->settings.step = loop.saved->state.step;
    checkpoint->seeds = loop.saved->state.seeds;
    checkpoint->rows = loop.rows;
    checkpoint->moments = loop.saved->moments;
    return {
        .experiment = "toy", .settings = loop.saved->state.settings, .run_now = false, .from = std::move(checkpoint)};
}

}  // namespace

TEST_CASE("a resumed run has the moments that were saved with it") {
    LoopOfMoments first({.experiment = "toy", .settings = toy_settings({"num_steps=60"}), .run_now = false}, 45);
    REQUIRE(first.saved);
    REQUIRE(first.saved->moments.size() == 5);
    CHECK(first.saved->moments.back().step == 40);

    LoopOfMoments second(resumed_from(first), 0);
    second.take();
    CHECK(second.steps() == std::vector<int64_t>{0, 10, 20, 30, 40, 45});
    const Snapshot& past = *second.moments->nearest(20);
    CHECK(past.run_number == second.latest->run_number);
    CHECK(past.matrices[0].seeds[0].values == first.moments->nearest(20)->matrices[0].seeds[0].values);

    // What it saves later begins at step 0 too.
    second.loop.obey({Command(StepOnce{15}), Command(Resume{})});
    for (int i = 0; i < 100; ++i) second.loop.turn();
    second.loop.obey({Command(TakeState{})});
    second.take();
    REQUIRE(second.saved);
    CHECK(second.saved->moments.size() == 7);
    CHECK(second.saved->moments[2] == first.saved->moments[2]);
}

TEST_CASE("a run of an earlier version, which logged fewer metrics, comes with rows of this version") {
    LoopOfMoments first({.experiment = "toy", .settings = toy_settings({"num_steps=60"}), .run_now = false}, 45);
    REQUIRE(first.saved);
    Restart restart = resumed_from(first);
    const auto study = find_toy("toy").make(restart.settings);
    auto older = std::make_shared<Checkpoint>(*restart.from);
    for (const MetricInfo& metric : study->metrics()) older->metrics.push_back(metric.name);
    older->metrics.erase(older->metrics.begin());
    for (MetricRow& row : older->rows) row.values.erase(row.values.begin());
    restart.from = older;
    LoopOfMoments second(restart, 0);
    second.take();
    REQUIRE(second.rows.size() == first.rows.size());
    CHECK(std::isnan(second.rows.back().values.front()));
    CHECK(second.rows.back().values.back() == first.rows.back().values.back());
}

TEST_CASE("moments that do not fit leave a run that can be resumed") {
    LoopOfMoments first({.experiment = "toy", .settings = toy_settings({"num_steps=60"}), .run_now = false}, 45);
    REQUIRE(first.saved);
    Restart restart = resumed_from(first);
    auto broken = std::make_shared<Checkpoint>(*restart.from);
    broken->moments[1].seeds.pop_back();
    restart.from = broken;
    LoopOfMoments second(restart, 0);
    second.take();
    CHECK(second.latest->step == 45);
    CHECK(second.steps() == std::vector<int64_t>{45});
    const std::vector<Notice> notices = second.outbox.take_notices();
    REQUIRE(notices.size() == 1);
    CHECK(holds(notices[0].text, "moments"));
}

}  // namespace emergence

TEST_SUITE_END();
