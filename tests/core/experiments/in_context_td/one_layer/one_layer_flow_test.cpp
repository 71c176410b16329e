// Experiment one-layer-flow: paths are those of experiment td, in coordinates that do not depend on scale.
#include <doctest/doctest.h>

#include "core/experiments/registry.h"
#include "core/experiments/table_of.h"
#include "core/lab/runs/run.h"
#include "core/lab/runs/thread_pool.h"
#include "core/measures/invariant_set.h"

using namespace emergence;

namespace {

Settings flow_settings() {
    Settings settings(find_experiment("one-layer-flow").fields);
    settings.set("seeds", int64_t{2});
    settings.set("num_mrps", int64_t{40});
    settings.set("arrow_mrps", int64_t{200});
    settings.set("bank_size", int64_t{16});
    return settings;
}

Run flow_run(const Settings& settings, ThreadPool& pool) {
    return Run(find_experiment("one-layer-flow").make(settings), pool);
}

}  // namespace

TEST_CASE("one layer: its trainings are those of experiment td, to the bit") {
    ThreadPool pool(1);
    Run run = flow_run(flow_settings(), pool);
    for (const MetricRow& row : run.advance_to(40)) {
        CHECK(row.values.size() == run.study().metrics().size());
        CHECK(row.values.back() > 0.0);  // random weights are off the set
        CHECK(row.values.back() < 1.0);
    }
    Settings td(find_experiment("td").fields);
    for (const auto& [name, value] :
         {std::pair{"num_layers", 1}, {"seeds", 2}, {"num_mrps", 40}, {"bank_size", 16}})
        td.set(name, int64_t{value});
    Run same(find_experiment("td").make(td), pool);
    same.advance_to(40);
    const Snapshot snapshot = run.snapshot();
    CHECK(snapshot.weights.at("Q") == same.snapshot().weights.at("Q"));
    const PlotSpec& plot = snapshot.plots[0];
    REQUIRE(plot.series.size() == 1 + 2 * 2 + 2);  // arrows, two paths with their ends, rest and zero
    CHECK(plot.series[1].x.size() == 5);
    const NamedMatrix &P = snapshot.matrices[0], &Q = snapshot.matrices[1];
    CHECK(plot.series[1].x.back() ==
          doctest::Approx(flow_coordinates({matrix_of(P.seeds[0]), matrix_of(Q.seeds[0])}).x()));
}
