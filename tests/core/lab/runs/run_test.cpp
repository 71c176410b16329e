#include "core/lab/runs/run.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/base/error.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"
#include "tests/support/toy_study.h"

using namespace emergence;
using namespace emergence::testing;

TEST_SUITE_BEGIN("threads");

namespace {

struct Outcome {
    std::vector<MetricRow> rows;
    std::vector<ArrayMap> states;
    int64_t step = 0;
    bool operator==(const Outcome&) const = default;
};

void append(std::vector<MetricRow>& rows, const std::vector<MetricRow>& more) {
    rows.insert(rows.end(), more.begin(), more.end());
}

// Trains to the target in chunks of `chunk` steps.
Outcome train(const std::vector<std::string>& changes, int threads, int64_t chunk) {
    RunOf run(toy_info(), toy_settings(changes), threads);
    Outcome outcome;
    append(outcome.rows, run.advance_to(0));
    while (!run.finished()) append(outcome.rows, run.advance_to(run.step() + chunk));
    outcome.states = run.save();
    outcome.step = run.step();
    return outcome;
}

}  // namespace

TEST_CASE("results depend neither on the threads nor on how the way is cut") {
    const std::vector<std::string> plain = {};
    const std::vector<std::string> failing = {"diverge_seed=1", "diverge_step=34", "throw_seed=2", "throw_step=57"};
    const std::vector<std::string> all = {"all_diverge=true", "diverge_step=34"};
    for (const auto& changes : {plain, failing, all}) {
        const Outcome whole = train(changes, 1, 1000);
        CHECK(whole == train(changes, 2, 1000));
        CHECK(whole == train(changes, 1, 7));
        CHECK(whole == train(changes, 3, 1));
        CHECK(std::is_sorted(whole.rows.begin(), whole.rows.end(), [](const MetricRow& a, const MetricRow& b) {
            return std::pair(a.step, a.seed_index) < std::pair(b.step, b.seed_index);
        }));
    }
    CHECK(train(plain, 1, 1000).rows.size() == 4 * 11);
    CHECK(train(plain, 1, 1000).step == 100);
    CHECK(train(all, 1, 1000).step == 33);
}

TEST_CASE("step 0 is logged once, even when the target is 0") {
    RunOf run(toy_info(), toy_settings({"num_steps=0"}));
    const std::vector<MetricRow> rows = run.advance_to(50);
    CHECK(rows.size() == 4);
    CHECK(rows[3].seed_index == 3);
    CHECK(rows[3].step == 0);
    CHECK(run.finished());
    CHECK(run.advance_to(50).empty());
}

TEST_CASE("a seed that fails keeps its last good state and leaves the rest alone") {
    RunOf run(toy_info(), toy_settings({"diverge_seed=1", "diverge_step=34"}));
    std::vector<MetricRow> rows = run.advance_to(100);
    CHECK(run.num_failed() == 1);
    CHECK(run.finished());
    CHECK(run.step() == 100);
    CHECK(std::count_if(rows.begin(), rows.end(), [](const MetricRow& r) { return r.seed_index == 1; }) == 4);
    const Snapshot snapshot = run.snapshot();
    CHECK(snapshot.step == 100);
    CHECK(snapshot.seeds[1].failed);
    CHECK(snapshot.seeds[1].step == 33);
    CHECK(snapshot.seeds[1].reason == "the loss is not finite at step 34");
    CHECK(holds(heatmap_of(snapshot, snapshot.matrices[0], {}).note, "mean of 3 networks (1 failed network left out)"));
}

TEST_CASE("an exception fails its seed, with its message, and is saved and loaded") {
    const Settings settings = toy_settings({"throw_seed=2", "throw_step=15"});
    RunOf run(toy_info(), settings), resumed(toy_info(), settings);
    run.advance_to(40);
    CHECK(run.num_failed() == 1);
    CHECK(run.step() == 40);
    const Snapshot snapshot = run.snapshot();
    CHECK(snapshot.seeds[2].failed);
    CHECK(snapshot.seeds[2].reason == "the toy was told to throw (after step 14)");

    resumed.load(run.save());
    CHECK(resumed.num_failed() == 1);
    CHECK(resumed.step() == 40);
    CHECK(resumed.seed_status(2).reason == snapshot.seeds[2].reason);
    CHECK(resumed.save() == run.save());
}

TEST_CASE("a saved run that does not fit is refused and changes nothing") {
    RunOf run(toy_info(), toy_settings(), 1);
    run.advance_to(10);
    const std::vector<ArrayMap> before = run.save();
    CHECK_THROWS_WITH_AS(run.load({}), "saved run: it has 0 seeds, but its settings say 4", InputError);

    RunOf ahead(toy_info(), toy_settings());
    ahead.advance_to(20);
    std::vector<ArrayMap> mixed = ahead.save();
    mixed[1] = before[1];
    CHECK_THROWS_WITH_AS(run.load(mixed), doctest::Contains("seed 1 is at step 10, but the others are at step 20"),
                         InputError);

    RunOf other(toy_info(), toy_settings({"size=2"}));
    CHECK_THROWS_WITH_AS(run.load(other.save()), doctest::Contains("its shape is not size x size"), InputError);
    CHECK(run.save() == before);
    CHECK(run.step() == 10);
}

TEST_CASE("a live stop condition moves the end") {
    RunOf run(toy_info(), toy_settings(), 1);
    run.advance_to(100);
    CHECK(run.finished());
    run.set_live(toy_settings({"num_steps=150"}));
    CHECK_FALSE(run.finished());
    CHECK(run.advance_to(1000).size() == 4 * 5);
    CHECK(run.step() == 150);
    run.set_live(toy_settings({"num_steps=60"}));
    CHECK(run.finished());
    CHECK(run.advance_to(1000).empty());
    CHECK(run.step() == 150);
}

TEST_CASE("rows that no checkpoint, or no file of a grid's job, can hold are refused before anything trains") {
    const auto study = toy_info().make(toy_settings({}));
    CHECK_NOTHROW(check_rows_fit(*study, 2, 1000));
    for (const size_t most : {kMostArrayBytes, kMostWeightBytes, size_t{1000}})
        CHECK_THROWS_WITH_AS(check_rows_fit(*study, 2, int64_t{1} << 40, most),
                             doctest::Contains("but a saved run holds at most"), InputError);
    CHECK_THROWS_AS(check_rows_fit(*study, 1, 1000, 1000), InputError);
}

TEST_SUITE_END();
