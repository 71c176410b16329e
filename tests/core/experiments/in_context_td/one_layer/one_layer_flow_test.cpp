// Experiment one-layer-flow: paths are those of experiment td, in coordinates that do not depend on scale.
#include <doctest/doctest.h>

#include "core/experiments/registry.h"
#include "core/experiments/stacked.h"
#include "core/measures/invariant_set.h"
#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using emergence::testing::RunOf;

Settings flow_settings() {
    return emergence::testing::settings_with(
        "one-layer-flow", {{"seeds", "2"}, {"num_mrps", "40"}, {"arrow_mrps", "200"}, {"bank_size", "16"}});
}

}  // namespace

TEST_CASE("one layer: its trainings are those of experiment td, to the bit") {
    RunOf run("one-layer-flow", flow_settings());
    for (const MetricRow& row : run.advance_to(40)) {
        CHECK(row.values.size() == run.study().metrics().size());
        CHECK(row.values.back() > 0.0);  // random weights are off the set
        CHECK(row.values.back() < 1.0);
    }
    Settings td(find_experiment("td").fields);
    for (const auto& [name, value] : {std::pair{"num_layers", 1}, {"seeds", 2}, {"num_mrps", 40}, {"bank_size", 16}})
        td.set(name, int64_t{value});
    RunOf same("td", td);
    same.advance_to(40);
    const Snapshot snapshot = run.snapshot();
    CHECK(snapshot.weights.at("Q") == same.snapshot().weights.at("Q"));
    const PlotSpec& plot = snapshot.plots[0];
    REQUIRE(plot.series.size() == 1 + 2 * 2 + 2);  // arrows, two paths with their ends, rest and zero
    const NamedMatrix &P = snapshot.matrices[0], &Q = snapshot.matrices[1];
    CHECK(plot.series[1].x.back() ==
          doctest::Approx(flow_coordinates({matrix_of(P.seeds[0]), matrix_of(Q.seeds[0])}).x()));
}
