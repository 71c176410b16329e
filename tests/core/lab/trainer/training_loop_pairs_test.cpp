// Two training loops whose runs are compared.
#include "core/lab/trainer/trainer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "tests/core/lab/trainer/loop_bench.h"
#include "tests/support/scratch.h"

using namespace emergence;
using namespace emergence::testing;

TEST_SUITE_BEGIN("threads");

namespace {

// Two runs that are compared, on a clock of which every look takes four milliseconds.
struct Pair {
    std::unique_ptr<TrainingLoop> make(Outbox& outbox, double pace) {
        Trainer::Options options;
        options.steps_per_second = pace;
        options.find_experiment = find_toy;
        options.convoy = convoy;
        auto loop = std::make_unique<TrainingLoop>(std::move(options), outbox, [this] { return now += 0.004; });
        loop->obey({Restart{"toy", toy_settings({"num_steps=1000"}), true}});
        return loop;
    }
    int64_t step_a() const { return convoy->others(1).fastest; }
    int64_t step_b() const { return convoy->others(0).fastest; }

    double now = 0.0;
    std::shared_ptr<Convoy> convoy = std::make_shared<Convoy>();
    Outbox outbox_a, outbox_b;
};

}  // namespace

TEST_CASE("runs that are compared advance side by side, however much faster one of them is") {
    Pair pair;
    const auto a = pair.make(pair.outbox_a, 0.0);
    const auto b = pair.make(pair.outbox_b, 0.0);
    int64_t furthest = 0;
    for (int i = 0; i < 20'000; ++i) {
        a->turn();
        if (i % 5 == 0) b->turn();
        furthest = std::max(furthest, std::abs(pair.step_a() - pair.step_b()));
    }
    CHECK(pair.step_a() == 1000);
    CHECK(pair.step_b() == 1000);
    CHECK(furthest <= 12);
    CHECK(furthest > 0);
}

TEST_CASE("one that joins late catches up while the other waits; one that has ended is not waited for") {
    Pair pair;
    const auto a = pair.make(pair.outbox_a, 100.0);
    while (pair.step_a() < 200) a->turn();
    auto b = pair.make(pair.outbox_b, 0.001);
    for (int i = 0; i < 100; ++i) CHECK(a->turn() > 0.0);
    CHECK(pair.step_a() == 200);
    while (pair.step_b() < 190) b->turn();
    for (int i = 0; i < 100; ++i) b->turn();
    CHECK(pair.step_b() <= 202);
    b->obey({Restart{"toy", toy_settings({"num_steps=5"}), true}, SetPace{0.0}});
    while (pair.step_b() < 5) b->turn();
    while (pair.step_a() < 300) a->turn();
    b.reset();
    while (pair.step_a() < 400) a->turn();
    CHECK(pair.step_a() >= 400);
}

TEST_CASE("a state that is asked for comes with its moment and rows, and a run goes on from it to the same bits") {
    LoopBench whole({"num_steps=60"});
    whole.play_to_rest();
    whole.look();

    LoopBench first({"num_steps=60"}, 0.0, false);
    first.obey(StepOnce{23});
    first.play(5.0);
    first.obey(TakeState{});
    const Published published = first.outbox.take();
    REQUIRE(published.saved);
    const SavedRun& saved = *published.saved;
    CHECK(saved.state.step == 23);
    CHECK(saved.moment.step == 23);
    CHECK(saved.moment.run_number == published.run_number);
    CHECK(first.outbox.take().saved == nullptr);

    auto checkpoint = std::make_shared<Checkpoint>();
    checkpoint->seeds = saved.state.seeds;
    checkpoint->rows = published.rows;
    checkpoint->seconds = 12.5;
    LoopBench second;
    second.obey(Restart{.experiment = "toy", .settings = saved.state.settings, .from = checkpoint});
    CHECK(second.look().step == 23);
    CHECK(second.rows == published.rows);
    CHECK(second.latest->status.elapsed_seconds == 12.5);
    second.play_to_rest();
    CHECK(same_picture(second.look(), *whole.latest));
    CHECK(second.rows == whole.rows);

    // What does not fit leaves the run as it was.
    checkpoint->seeds.pop_back();
    second.obey(Restart{.experiment = "toy", .settings = saved.state.settings, .from = checkpoint});
    CHECK(holds(second.notice(), "seeds"));
    CHECK(same_picture(second.look(), *whole.latest));
}

TEST_SUITE_END();
