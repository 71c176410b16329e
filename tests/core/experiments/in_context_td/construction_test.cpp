// Experiment construction: Figure 13, and that a flaw shows.
#include "core/experiments/in_context_td/construction.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/runtime/run.h"
#include "core/runtime/thread_pool.h"

using namespace emergence;

namespace {

Settings small(const std::string& algorithm) {
    Settings settings(find_experiment("construction").fields);
    settings.set("algorithm", algorithm);
    settings.set("seeds", int64_t{3});
    settings.set("num_layers", int64_t{6});
    settings.set("n", int64_t{20});
    return settings;
}

struct Outcome {
    std::vector<MetricRow> rows;
    Snapshot snapshot;
};

Outcome run_of(const Settings& settings, int64_t chunk) {
    ThreadPool pool(2);
    Run run(find_experiment("construction").make(settings), pool);
    Outcome outcome{run.advance_to(0), {}};
    while (!run.finished())
        for (MetricRow& row : run.advance_to(run.step() + chunk)) outcome.rows.push_back(std::move(row));
    outcome.snapshot = run.snapshot();
    return outcome;
}

double largest_relative(const std::vector<MetricRow>& rows) {
    double largest = 0.0;
    for (const MetricRow& row : rows) largest = std::max(largest, row.values[1]);
    return largest;
}

}  // namespace

TEST_CASE("construction: each algorithm has a row a layer, its matrices and its mask, and agrees") {
    for (const std::string algorithm : {"td", "residual_gradient", "td_lambda", "average_reward_td"}) {
        CAPTURE(algorithm);
        const Outcome whole = run_of(small(algorithm), 100), cut = run_of(small(algorithm), 1);
        CHECK(whole.rows.size() == 3 * 7);
        CHECK(whole.rows == cut.rows);
        CHECK(largest_relative(whole.rows) < 1e-12);
        REQUIRE(whole.snapshot.matrices.size() == 3);
        const int rows = algorithm == "average_reward_td" ? 8 : 7;
        CHECK(whole.snapshot.matrices[0].seeds[0].rows == rows);
        CHECK(whole.snapshot.matrices[1].seeds[0].rows == rows);
        CHECK(whole.snapshot.matrices[2].seeds[0].rows == 21);
        CHECK(whole.snapshot.matrices[1].seeds[0] != whole.snapshot.matrices[1].seeds[1]);  // own C_l
    }
}

TEST_CASE("construction: a flaw shows, and TD(0) cannot be plainer than it is") {
    Settings settings = small("td_lambda");
    settings.set("flaw", std::string("plain_td"));
    CHECK(largest_relative(run_of(settings, 100).rows) > 1e-3);
    settings.set("algorithm", std::string("td"));
    CHECK_THROWS_WITH_AS(find_experiment("construction").check(settings),
                         "flaw: found plain_td, with algorithm = td any other is allowed: TD(0) is plain",
                         InputError);
}

TEST_CASE("construction: resumed equals uninterrupted") {
    ThreadPool pool(1);
    Run first(find_experiment("construction").make(small("td")), pool),
        second(find_experiment("construction").make(small("td")), pool);
    first.advance_to(3);
    second.load(first.save());
    CHECK(second.step() == 3);
    CHECK(second.advance_to(6) == first.advance_to(6));
    auto bad = first.save();
    bad[0]["told"].values = std::vector<int64_t>{9};
    CHECK_THROWS_AS(second.load(bad), InputError);
}
