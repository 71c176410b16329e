// Experiment softmax-td through its public face: the registry, a run, snapshots, live fields.
#include "core/experiments/softmax_td/softmax_td.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/lab/runs/run.h"
#include "core/lab/runs/thread_pool.h"
#include "core/settings/idle_fields.h"
#include "tests/support/make_run.h"

using namespace emergence;

namespace {

using emergence::testing::make_run;

Settings small_training() {
    Settings settings(find_experiment("softmax-td").fields);
    settings.set("seeds", int64_t{3});
    settings.set("n", int64_t{12});
    settings.set("num_states", int64_t{5});
    settings.set("bank_size", int64_t{8});
    settings.set("num_updates", int64_t{60});
    settings.set("log_interval", int64_t{10});
    return settings;
}

const NamedMatrix& matrix(const Snapshot& snapshot, const std::string& name) {
    const NamedMatrix* found = find_matrix(snapshot, name);
    REQUIRE(found != nullptr);
    return *found;
}

}  // namespace

TEST_CASE("softmax-td: one thread, two threads and any cut of the way give the same bits") {
    ThreadPool one(1), two(2);
    Run a = make_run("softmax-td", small_training(), one), b = make_run("softmax-td", small_training(), two);
    const auto rows_a = a.advance_to(60);
    std::vector<MetricRow> rows_b;
    for (const int64_t step : {0, 7, 10, 31, 60})
        for (auto& row : b.advance_to(step)) rows_b.push_back(row);
    REQUIRE(rows_a.size() == 3 * 7);
    CHECK(rows_a == rows_b);
    CHECK(a.snapshot().weights == b.snapshot().weights);
    CHECK(a.finished());
    CHECK(rows_a[0].values.size() == a.study().metrics().size());
}

TEST_CASE("softmax-td: resumed equals uninterrupted, through the run") {
    ThreadPool pool(2);
    Settings settings = small_training();
    settings.set("flip", true);
    settings.set("flip_at", int64_t{30});
    Run straight = make_run("softmax-td", settings, pool), first = make_run("softmax-td", settings, pool),
        second = make_run("softmax-td", settings, pool);
    straight.advance_to(25);
    const auto tail = straight.advance_to(60);
    first.advance_to(25);
    second.load(first.save());
    CHECK(second.advance_to(60) == tail);
    CHECK(second.save() == straight.save());
    CHECK(second.snapshot().plots[0].series[0].x == straight.snapshot().plots[0].series[0].x);
    auto bad = first.save();
    bad[0].erase("trace");
    CHECK_THROWS_AS(second.load(bad), InputError);
}

TEST_CASE("softmax-td: a snapshot describes itself") {
    ThreadPool pool(1);
    Run run = make_run("softmax-td", small_training(), pool);
    run.advance_to(20);
    const Snapshot snapshot = run.snapshot();
    const NamedMatrix& P = matrix(snapshot, "P");
    CHECK(P.seeds.size() == 3);
    CHECK(P.seeds[0].rows == 2);
    CHECK(P.seeds[0].columns == 7);
    CHECK((*P.target)(1, 6) == -1.0);
    CHECK(P.signs.empty());
    CHECK(matrix(snapshot, "Q").seeds[0].rows == 7);
    CHECK(snapshot.weights.at("P").shape == std::vector<size_t>{3, 1, 7, 7});
    REQUIRE(snapshot.lamps.size() == 4);
    for (const Lamp& lamp : snapshot.lamps) CHECK(lamp.lit.size() == 3);
    for (size_t k = 0; k < 3; ++k) CHECK(snapshot.lamps[0].lit[k] == (P.seeds[k](1, 4) > 0));
    const Table& A = matrix(snapshot, "A").seeds[0];
    CHECK(A.rows == 12);
    CHECK(A.columns == 13);
    for (int j = 0; j < 13; ++j) {
        double sum = 0;
        for (int i = 0; i < 12; ++i) sum += A(i, j);
        CHECK(sum == doctest::Approx(1.0));
    }
    int columns = 0;
    for (const Block& block : matrix(snapshot, "A").column_blocks) columns += block.size;
    CHECK(columns == 13);
    CHECK(matrix(snapshot, "v").seeds[0].rows == 4);
    CHECK(matrix(snapshot, "TD error").seeds[0].rows == 3);
    REQUIRE(snapshot.plots.size() == 2);
    CHECK(snapshot.plots[0].series[0].x.size() == 3 * 3);  // three points a seed
}

TEST_CASE("softmax-td: live fields look elsewhere and an inspection answers as a live change does") {
    ThreadPool pool(1);
    Run run = make_run("softmax-td", small_training(), pool);
    run.advance_to(60);
    const Snapshot before = run.snapshot();
    Settings changed = small_training();
    changed.set("show", std::string("best"));
    changed.set("prompt", int64_t{3});
    changed.set("layer", int64_t{8});
    const Snapshot asked = run.study().inspect(before, {"evaluate", changed});
    run.set_live(changed);
    const Snapshot after = run.snapshot();
    CHECK(after.weights == before.weights);
    REQUIRE(after.matrices.size() == asked.matrices.size());
    for (size_t i = 0; i < after.matrices.size(); ++i)
        CHECK(after.matrices[i].seeds == asked.matrices[i].seeds);
    CHECK(matrix(after, "A").title == "Kernel A, layer 3, prompt 3");
    CHECK(after.plots.size() == 2);
    CHECK(after.plots[1].series[0].rows == asked.plots[1].series[0].rows);
    CHECK_THROWS_AS(run.study().inspect(before, {"dance", changed}), InputError);
}

TEST_CASE("softmax-td: a clamped kernel keeps its kappa, and combinations that do not fit are refused") {
    ThreadPool pool(1);
    Settings settings = small_training();
    settings.set("clamp", std::string("Q"));
    Run run = make_run("softmax-td", settings, pool);
    const auto rows = run.advance_to(60);
    const size_t kappa = 9;
    REQUIRE(run.study().metrics()[kappa].name == "kappa");
    for (const MetricRow& row : rows) CHECK(row.values[kappa] == rows[0].values[kappa]);
    const Snapshot snapshot = run.snapshot();
    CHECK(matrix(snapshot, "Q").title == "Q, held");
    CHECK(matrix(snapshot, "Q").unit != matrix(snapshot, "P").unit);  // nor do they share colours
    CHECK(matrix(snapshot, "P").title.empty());
    // The option that changes signs is left on, and changes none.
    settings.set("flip", true);
    settings.set("flip_at", int64_t{20});
    find_experiment("softmax-td").check(settings);
    CHECK(make_run("softmax-td", settings, pool).advance_to(60) == rows);
    CHECK(idle_notices(settings).size() == 2);
    settings = small_training();
    settings.set("log_interval", int64_t{61});
    CHECK_THROWS_AS(find_experiment("softmax-td").check(settings), InputError);
}

TEST_CASE("softmax-td: the best checkpoint is the logged point of the history, and stands beside the last") {
    ThreadPool pool(1);
    Settings settings = small_training();
    settings.set("flip", true);
    settings.set("flip_at", int64_t{10});
    settings.set("num_updates", int64_t{400});
    Run run = make_run("softmax-td", settings, pool);
    MetricHistory history(run.study().metrics(), 3);
    for (const MetricRow& row : run.advance_to(400)) history.append(row);
    const Snapshot snapshot = run.snapshot();
    const auto updates = as_doubles(snapshot.weights.at("best_update"));
    double v = 0, flipped = 0, kappas = 0;
    std::vector<double> kappa;
    for (int k = 0; k < 3; ++k) {
        const auto best = history.best_point({"v_emergence", "a_emergence"}, k, 400);
        if (!best) continue;
        CHECK(updates[static_cast<size_t>(k)] == history.steps()[*best]);
        v += history.column("v_emergence", k)[*best] / 3;
        kappa.push_back(history.column("kappa", k)[*best]);
        ++kappas;
    }
    REQUIRE(kappas > 0);
    CHECK(snapshot.plots[0].series.back().name == "V-emergence at best checkpoint");
    CHECK(snapshot.plots[0].series.back().x == kappa);
    for (const double x : as_doubles(snapshot.weights.at("flipped"))) flipped += x;
    const auto scalar = [&](const std::string& name) {
        for (const Scalar& one : snapshot.scalars)
            if (one.name == name) return one.value;
        return -1.0;
    };
    CHECK(scalar("v_best") == doctest::Approx(v));
    CHECK(scalar("flipped") == flipped);
}

TEST_CASE("softmax-td: the trace of emergence against kappa is thinned evenly") {
    ThreadPool pool(1);
    Settings settings = small_training();
    settings.set("seeds", int64_t{1});
    settings.set("log_interval", int64_t{1});
    settings.set("num_updates", int64_t{300});
    Run run = make_run("softmax-td", settings, pool);
    run.advance_to(300);
    const size_t points = run.snapshot().plots[0].series[0].x.size();
    CHECK(points == 151);  // every second of 301
}
