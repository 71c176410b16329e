// The files that a run writes.
#include "app/export/run_files.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace emergence;

TEST_CASE("a seed's numbers are of one step: what was known before and is not now is missing") {
    constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
    MetricHistory history({{"beta", "", ""}, {"c", "", ""}}, 2);
    history.append({0, 0, {0.5, 0.1}});
    history.append({0, 10, {kMissing, 0.2}});
    history.append({1, 0, {0.7, 0.3}});
    history.append({1, 10, {kMissing, kMissing}});  // it has failed
    Snapshot snapshot;
    snapshot.step = 10;
    CHECK(std::isnan(last_value(snapshot, history, "beta", 0)));
    CHECK(last_value(snapshot, history, "c", 0) == 0.2);
    CHECK(last_value(snapshot, history, "beta", 1) == 0.7);
    snapshot.step = 5;
    CHECK(last_value(snapshot, history, "beta", 0) == 0.5);
}
