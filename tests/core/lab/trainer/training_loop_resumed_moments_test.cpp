// A run that is resumed with its saved moments can be looked through from its beginning.
#include <doctest/doctest.h>

#include <cmath>

#include "core/lab/trainer/training_loop.h"
#include "tests/support/toy_study.h"

TEST_SUITE_BEGIN("threads");

namespace emergence {
namespace {

using testing::find_toy;
using testing::toy_settings;

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

    LockMeter meter;
    Outbox outbox{meter};
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
    CHECK(notices[0].text.find("moments") != std::string::npos);
}

}  // namespace emergence

TEST_SUITE_END();
