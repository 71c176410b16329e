#include "core/pictures/color_limits.h"

#include <doctest/doctest.h>

#include <limits>

using namespace emergence;
using Rule = ColorLimits::Rule;

namespace {

HeatmapSpec five_entries() {
    HeatmapSpec spec;
    spec.values = Table(1, 6);
    spec.values.values = {-10.0, 1.0, -2.0, std::numeric_limits<double>::quiet_NaN(), 3.0, 4.0};
    spec.limit = 10.0;
    return spec;
}

}  // namespace

TEST_CASE("percentiles of magnitudes, interpolated, without the missing ones") {
    const Table values = five_entries().values;
    CHECK(largest_entry(values) == 10.0);
    CHECK(magnitude_percentile(values, 0.0) == 1.0);
    CHECK(magnitude_percentile(values, 50.0) == 3.0);
    CHECK(magnitude_percentile(values, 75.0) == 4.0);
    CHECK(magnitude_percentile(values, 90.0) == doctest::Approx(4.0 + 0.6 * 6.0));
    CHECK(magnitude_percentile(values, 100.0) == 10.0);
    CHECK(magnitude_percentile(Table(), 98.0) == 0.0);
}

TEST_CASE("limits by rule, and a note that says so") {
    HeatmapSpec automatic = five_entries();
    apply_limits(automatic, {});
    CHECK(automatic.limit == 10.0);
    CHECK(automatic.note.empty());
    HeatmapSpec percentile = five_entries();
    apply_limits(percentile, {.rule = Rule::percentile, .percentile = 75.0});
    CHECK(percentile.limit == 4.0);
    CHECK(percentile.note == ", colours end at 4: 75 % of the cells lie inside");
    HeatmapSpec manual = five_entries();
    apply_limits(manual, {.rule = Rule::manual, .manual = 2.5});
    CHECK(manual.limit == 2.5);
    CHECK(manual.note == ", colours end at 2.5, set by hand");
}

TEST_CASE("a matrix of zeros still has a range, whatever the rule") {
    for (const Rule rule : {Rule::automatic, Rule::percentile}) {
        HeatmapSpec zeros;
        zeros.values = Table(2, 2);
        zeros.limit = 0.0;
        apply_limits(zeros, {.rule = rule});
        CHECK(zeros.limit == 1.0);
    }
}

TEST_CASE("clipped cells are counted on both sides, missing ones on none") {
    HeatmapSpec spec = five_entries();
    CHECK(clipped_cells(spec).above == 0);
    CHECK(clipped_cells(spec).below == 0);  // the largest lies on the limit
    spec.limit = 2.5;
    CHECK(clipped_cells(spec).above == 2);
    CHECK(clipped_cells(spec).below == 1);
}
