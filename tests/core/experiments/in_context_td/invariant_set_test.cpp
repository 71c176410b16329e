// Experiment invariant-set: Theorem 2, on the set and off it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/experiments/registry.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using namespace emergence::testing;

Settings invariant_settings(double distance) {
    Settings settings(find_experiment("invariant-set").fields);
    settings.set("distance", distance);
    testing::change(settings, "seeds=3, samples=4, num_steps=30");
    return settings;
}

}  // namespace

TEST_CASE("invariant set: from a point of it averaged updates stay to rounding, plain ones leave") {
    RunOf run("invariant-set", invariant_settings(0.0));
    const std::vector<MetricRow> rows = run.advance_to(30);
    double largest = 0.0, least_plain = 1.0;
    for (const MetricRow& row : rows) {
        largest = std::max(largest, row.values[0]);
        if (row.step > 0) least_plain = std::min(least_plain, row.values[1]);
        if (row.step > 0) CHECK(row.values[2] != 1.0);  // and yet it moves, within the set
    }
    CHECK(largest < 1e-13);
    CHECK(least_plain > 1e-5);
}

TEST_CASE("invariant set: the start is as far off as was asked for, among the entries that can move") {
    RunOf run("invariant-set", invariant_settings(0.5));
    const Snapshot snapshot = run.snapshot();
    CHECK(snapshot.scalars[0].value == doctest::Approx(0.5 / std::sqrt(1.25)));
    for (const NamedMatrix& matrix : snapshot.matrices)
        for (const BlockMeaning& meaning : matrix.meanings)
            if (meaning.hatched) {
                const int offset[] = {0, 4, 8, 9};
                for (int i = offset[meaning.row_block]; i < offset[meaning.row_block + 1]; ++i)
                    for (int j = offset[meaning.column_block]; j < offset[meaning.column_block + 1]; ++j)
                        CHECK(matrix.seeds[0](i, j) == 0.0);
            }
}

TEST_CASE("invariant set: a learning rate that is too large ends in a seed that failed and says why") {
    Settings settings = invariant_settings(0.0);
    testing::change(settings, "learning_rate=10.0, eta=3.0, num_steps=400");
    RunOf run("invariant-set", settings);
    run.advance_to(400);
    const Snapshot snapshot = run.snapshot();
    REQUIRE(snapshot.seeds[0].failed);
    CHECK(holds(snapshot.seeds[0].reason, "learning rate"));
}
