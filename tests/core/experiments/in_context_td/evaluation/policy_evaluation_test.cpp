// Experiment evaluation: Figure 1 against the authors' code, and a run's bits.
#include "core/experiments/in_context_td/evaluation/policy_evaluation.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/files/csv.h"
#include "core/lab/runs/run.h"
#include "core/lab/runs/thread_pool.h"
#include "tests/support/judged.h"
#include "tests/support/places.h"

using namespace emergence;

namespace {

Settings settings_with(int64_t tasks, int64_t seeds) {
    Settings settings(find_experiment("evaluation").fields);
    settings.set("num_tasks", tasks);
    settings.set("seeds", seeds);
    return settings;
}

std::vector<MetricRow> advance_in_chunks(Run& run, int64_t chunk, int64_t target) {
    std::vector<MetricRow> rows;
    while (run.step() < target)
        for (MetricRow& row : run.advance_to(std::min(run.step() + chunk, target)))
            rows.push_back(std::move(row));
    return rows;
}

}  // namespace

TEST_CASE("Figure 1: transformer and batch TD have the curve of the authors' code") {
    ThreadPool pool(2);
    Run run(find_experiment("evaluation").make(settings_with(1000, 20)), pool);
    run.advance_to(1000);
    const ArrayMap statistics = run.snapshot().weights;
    const NumericTable reference = read_csv(testing::data_file("wang_figure1_loop.csv"));
    const auto n = reference.column("context_length"), mean = reference.column("mean_msve"),
               error = reference.column("stderr"), median = reference.column("median_msve");
    const auto lengths = as_doubles(statistics.at("context_length"));
    REQUIRE(lengths == n);
    for (const std::string name : {"transformer", "batch_td"}) {
        const auto own = as_doubles(statistics.at(name + "_mean"));
        const auto own_error = as_doubles(statistics.at(name + "_standard_error"));
        const auto own_median = as_doubles(statistics.at(name + "_median"));
        for (size_t i = 0; i < n.size(); ++i) {
            CAPTURE(n[i]);
            CHECK(std::abs(own[i] - mean[i]) < 4 * std::hypot(own_error[i], error[i]));
            CHECK(own_median[i] == doctest::Approx(median[i]).epsilon(0.04));
        }
    }
    for (const MeasuredClaim& claim :
         find_experiment("evaluation").figures[0].draw(run.snapshot(), {}).measured)
        for (const Claim& stated : testing::shipped_claims())
            if (stated.name == claim.name) {
                CAPTURE(claim.name);
                CHECK(verdict_of(stated, claim.measurement) == Verdict::agrees);
            }
}

TEST_CASE("evaluation: the same bits however the way is cut, with any threads, and resumed") {
    const Settings settings = settings_with(120, 2);
    const auto make = [&](ThreadPool& pool) {
        return Run(find_experiment("evaluation").make(settings), pool);
    };
    ThreadPool one(1), two(2);
    Run whole = make(one), cut = make(two);
    const auto rows = advance_in_chunks(whole, 1000, 120);
    CHECK(rows.size() == 4);  // two seeds, at 50 and 100 tasks
    CHECK(advance_in_chunks(cut, 7, 120) == rows);
    CHECK(cut.save() == whole.save());

    Run first = make(one), second = make(one);
    first.advance_to(61);
    second.load(first.save());
    second.advance_to(120);
    CHECK(second.save() == whole.save());
    CHECK(second.snapshot().plots[0].series[0].rows == whole.snapshot().plots[0].series[0].rows);
    Run fresh = make(one);
    fresh.load(make(one).save());
    CHECK(fresh.step() == 0);
    auto bad = first.save();
    bad[0].erase("zero");
    CHECK_THROWS_AS(fresh.load(bad), InputError);
    CHECK(fresh.snapshot().plots[0].series.size() == 3);  // before the first task too
}

TEST_CASE("evaluation: tasks with one context length, and settings that do not go together") {
    Settings settings = settings_with(50, 1);
    settings.set("task", std::string("boyan"));
    settings.set("max_context_length", int64_t{1});
    ThreadPool pool(1);
    Run run(find_experiment("evaluation").make(settings), pool);
    CHECK(advance_in_chunks(run, 50, 50).size() == 1);
    settings.set("min_states", int64_t{20});
    CHECK_THROWS_WITH_AS(find_experiment("evaluation").check(settings),
                         "min_states: 20 is more than num_states = 15. Lower one or raise the other.",
                         InputError);
}
