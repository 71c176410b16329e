// Experiment td through its public face: the registry, a run, snapshots.
#include "core/experiments/in_context_td/td.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/lab/runs/run.h"
#include "core/lab/runs/thread_pool.h"
#include "tests/support/make_run.h"

using namespace emergence;

namespace {

using emergence::testing::make_run;

Settings small_td() {
    Settings settings(find_experiment("td").fields);
    settings.set("seeds", int64_t{3});
    settings.set("bank_size", int64_t{64});
    settings.set("num_mrps", int64_t{60});
    return settings;
}

}  // namespace

TEST_CASE("defaults are the paper's") {
    const InContextTdConfig c;
    CHECK(c.num_layers == 3);
    CHECK(c.context_length == 30);
    CHECK(c.tasks.d == 4);
    CHECK(c.tasks.num_states == 10);
    CHECK(c.tasks.gamma == 0.9);
    CHECK(c.adam.learning_rate == 1e-3);
    CHECK(c.adam.weight_decay == 1e-6);
    CHECK(c.minibatch_size * c.minibatches_per_mrp == 320);
    CHECK(c.num_mrps == 4000);
}

TEST_CASE("one thread, two threads and any cut of the way give the same bits") {
    ThreadPool one(1), two(2);
    Run a = make_run("td", small_td(), one), b = make_run("td", small_td(), two);
    const auto rows_a = a.advance_to(60);
    std::vector<MetricRow> rows_b;
    for (const int64_t step : {0, 7, 10, 31, 60})
        for (auto& row : b.advance_to(step)) rows_b.push_back(row);
    REQUIRE(rows_a.size() == 3 * 7);
    CHECK(rows_a == rows_b);
    CHECK(a.snapshot().weights == b.snapshot().weights);
    CHECK(a.finished());
}

TEST_CASE("resumed equals uninterrupted, through the run") {
    ThreadPool pool(2);
    Run straight = make_run("td", small_td(), pool), first = make_run("td", small_td(), pool),
        second = make_run("td", small_td(), pool);
    straight.advance_to(25);
    auto tail = straight.advance_to(60);
    first.advance_to(25);
    second.load(first.save());
    CHECK(second.advance_to(60) == tail);
    CHECK(second.snapshot().weights == straight.snapshot().weights);
    CHECK(second.save() == straight.save());
}

TEST_CASE("evaluating never changes training") {
    ThreadPool pool(1);
    Settings other = small_td();
    other.set("bank_size", int64_t{16});
    other.set("log_interval", int64_t{3});
    other.set("eval_context_length", int64_t{100});
    other.set("eval_extra_layers", int64_t{5});
    Run a = make_run("td", small_td(), pool), b = make_run("td", other, pool);
    a.advance_to(60);
    for (int64_t step = 0; step <= 60; step += 5) {
        b.advance_to(step);
        b.snapshot();
    }
    CHECK(a.snapshot().weights == b.snapshot().weights);
}

TEST_CASE("a snapshot describes itself") {
    ThreadPool pool(1);
    Run run = make_run("td", small_td(), pool);
    run.advance_to(10);
    const Snapshot snapshot = run.snapshot();
    REQUIRE(snapshot.matrices.size() == 2);
    const NamedMatrix& P = snapshot.matrices[0];
    CHECK(P.name == "P0");
    CHECK(P.seeds.size() == 3);
    CHECK(P.row_blocks == std::vector<Block>{{"\u03c6", 4}, {"\u03b3\u03c6'", 4}, {"R", 1}});
    CHECK((*P.target)(8, 8) == 1);
    CHECK((*snapshot.matrices[1].target)(0, 0) == -1);
    CHECK((*snapshot.matrices[1].target)(0, 4) == 1);
    CHECK(snapshot.weights.at("P").shape == std::vector<size_t>{3, 1, 9, 9});
    CHECK(std::holds_alternative<std::vector<float>>(snapshot.weights.at("P").values));
    REQUIRE(snapshot.plots.size() == 1);
    CHECK(snapshot.plots[0].series.size() == 5);
    CHECK(snapshot.plots[0].series[0].x.size() == 40);
    for (int k = 0; k < 3; ++k) {
        const double corner = P.seeds[static_cast<size_t>(k)](8, 8);
        CHECK(P.signs[static_cast<size_t>(k)] * corner >= 0);
    }
}

TEST_CASE("live fields act on the value-error plot, and an inspection answers as a live change does") {
    ThreadPool pool(1);
    Run run = make_run("td", small_td(), pool);
    run.advance_to(20);
    const Snapshot before = run.snapshot();
    Settings changed = small_td();
    changed.set("eval_context_length", int64_t{100});
    changed.set("eval_extra_layers", int64_t{2});
    const Snapshot asked = run.study().inspect(before, {"evaluate", changed});
    run.set_live(changed);
    const Snapshot after = run.snapshot();
    CHECK(after.plots[0].series[0].x.back() == 125);
    CHECK(after.plots[0].series[0].rows == asked.plots[0].series[0].rows);
    CHECK(after.plots[0].series[0].name == "transformer, 5 layers");
    CHECK(after.plots[0].lines.size() == 2);
    CHECK(after.weights == before.weights);
    CHECK_THROWS_AS(run.study().inspect(before, {"dance", changed}), InputError);
}

TEST_CASE("an outline, evaluated later, is the description, to the bit") {
    ThreadPool pool(1);
    Run run = make_run("td", small_td(), pool);
    run.advance_to(20);
    const Snapshot outline = run.outline();
    const Snapshot described = run.snapshot();
    CHECK_FALSE(outline.evaluated);
    CHECK(outline.plots.empty());
    CHECK(outline.weights == described.weights);
    run.advance_to(40);
    const Snapshot later = run.study().inspect(outline, {"evaluate", outline.settings});
    CHECK(later.evaluated);
    CHECK(later.step == 20);
    REQUIRE(later.plots.size() == described.plots.size());
    for (size_t i = 0; i < described.plots[0].series.size(); ++i)
        CHECK(later.plots[0].series[i].rows == described.plots[0].series[i].rows);
    for (size_t i = 0; i < described.scalars.size(); ++i)
        CHECK(later.scalars[i].value == described.scalars[i].value);
    CHECK(later.plots[0].readout == described.plots[0].readout);
}

TEST_CASE("with one layer theory is Corollary 1's") {
    ThreadPool pool(1);
    Settings settings = small_td();
    settings.set("num_layers", int64_t{1});
    Run run = make_run("td", settings, pool);
    run.advance_to(0);
    CHECK((*run.snapshot().matrices[1].target)(0, 4) == 0);
}

TEST_CASE("a diverging seed is counted, named, and keeps finite weights") {
    ThreadPool pool(2);
    Settings settings = small_td();
    settings.set("learning_rate", 0.1);
    settings.set("initial_gain", 3.0);
    settings.set("num_layers", int64_t{12});
    settings.set("num_mrps", int64_t{400});
    Run run = make_run("td", settings, pool);
    run.advance_to(400);
    REQUIRE(run.num_failed() > 0);
    const Snapshot snapshot = run.snapshot();
    for (size_t k = 0; k < 3; ++k)
        if (snapshot.seeds[k].failed) {
            CHECK(snapshot.seeds[k].reason.find("diverged in MRP") != std::string::npos);
            CHECK(std::isnan(snapshot.plots[0].series[0].rows[k][5]));
        }
}

TEST_CASE("combinations that do not go together are refused with a reason") {
    Settings settings = small_td();
    settings.set("log_interval", int64_t{61});
    CHECK_THROWS_WITH_AS(
        find_experiment("td").check(settings),
        "log_interval: 61 is more than num_mrps = 60, so the run would log nothing. Lower it.", InputError);
    const auto refused = [](std::initializer_list<std::pair<const char*, const char*>> changes) {
        Settings wrong = small_td();
        for (const auto& [field, value] : changes) wrong.set_from_text(field, value);
        CHECK_THROWS_AS(find_experiment("td").check(wrong), InputError);
    };
    refused({{"task", "cart_pole"}, {"representable", "true"}});
    refused({{"task", "loop"}, {"loop_min_states", "11"}});
    refused({{"task", "loop"}, {"loop_min_states", "1"}});
    refused({{"task", "loop"}, {"loop_min_threshold", "0.95"}});
    refused({{"updates", "prompt"}, {"loss", "monte_carlo"}});
    std::string names;
    for (const ExperimentInfo& info : experiments()) names += (names.empty() ? "" : ", ") + info.name;
    CHECK_THROWS_WITH_AS(find_experiment("dt"), ("unknown experiment 'dt', there are: " + names).c_str(),
                         InputError);
}
