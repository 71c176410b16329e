// Experiment softmax-td through its public face: the registry, a run, snapshots, live fields.
#include "core/experiments/softmax_td/softmax_td.h"

#include <doctest/doctest.h>

#include "core/experiments/registry.h"
#include "core/settings/fields.h"
#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using emergence::testing::RunOf;

Settings small_training() {
    return emergence::testing::settings_of("softmax-td",
                                           "seeds=3, n=12, num_states=5, bank_size=8, num_updates=60, "
                                           "log_interval=10");
}

const NamedMatrix& matrix(const Snapshot& snapshot, const std::string& name) {
    const NamedMatrix* found = find_matrix(snapshot, name);
    REQUIRE(found != nullptr);
    return *found;
}

}  // namespace

TEST_CASE("softmax-td: lamps are lit by P's entries, and the kernel's columns sum to 1") {
    RunOf run("softmax-td", small_training());
    run.advance_to(20);
    const Snapshot snapshot = run.snapshot();
    const NamedMatrix& P = matrix(snapshot, "P");
    CHECK((*P.target)(1, 6) == -1.0);
    CHECK(P.signs.empty());
    CHECK(snapshot.weights.at("P").shape == std::vector<size_t>{3, 1, 7, 7});
    for (size_t k = 0; k < 3; ++k) CHECK(snapshot.lamps.at(0).lit[k] == (P.seeds[k](1, 4) > 0));
    const Table& A = matrix(snapshot, "A").seeds[0];
    CHECK(A.rows == 12);
    for (int j = 0; j < A.columns; ++j) {
        double sum = 0;
        for (int i = 0; i < A.rows; ++i) sum += A(i, j);
        CHECK(sum == doctest::Approx(1.0));
    }
    CHECK(snapshot.plots.at(0).series[0].x.size() == 3 * 3);  // three points a seed
}

TEST_CASE("softmax-td: a clamped kernel keeps its kappa") {
    Settings settings = small_training();
    settings.set("clamp", std::string("Q"));
    RunOf run("softmax-td", settings);
    const auto rows = run.advance_to(60);
    const size_t kappa = 9;
    REQUIRE(run.study().metrics()[kappa].name == "kappa");
    for (const MetricRow& row : rows) CHECK(row.values[kappa] == rows[0].values[kappa]);
    const Snapshot snapshot = run.snapshot();
    CHECK(matrix(snapshot, "Q").title == "Q, held");
    CHECK(matrix(snapshot, "Q").unit != matrix(snapshot, "P").unit);  // nor do they share colours
    CHECK(matrix(snapshot, "P").title.empty());
    // The option that changes signs is left on, and changes none.
    testing::change(settings, "flip=true, flip_at=20");
    find_experiment("softmax-td").check(settings);
    CHECK(RunOf("softmax-td", settings).advance_to(60) == rows);
    CHECK(idle_notices(settings).size() == 2);
}

TEST_CASE("softmax-td: the best checkpoint is the logged point of the history, and stands beside the last") {
    Settings settings = small_training();
    testing::change(settings, "flip=true, flip_at=10, num_updates=400");
    RunOf run("softmax-td", settings);
    const MetricHistory history = run.history_to(400);
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
    Settings settings = small_training();
    testing::change(settings, "seeds=1, log_interval=1, num_updates=300");
    RunOf run("softmax-td", settings);
    run.advance_to(300);
    const size_t points = run.snapshot().plots[0].series[0].x.size();
    CHECK(points == 151);  // every second of 301
}
