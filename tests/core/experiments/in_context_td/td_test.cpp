// Experiment td through its public face: the registry, a run, snapshots.
#include "core/experiments/in_context_td/td.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using emergence::testing::RunOf;

Settings small_td() {
    return emergence::testing::settings_with("td", {{"seeds", "3"}, {"bank_size", "64"}, {"num_mrps", "60"}});
}

}  // namespace

TEST_CASE("what is logged, and how often, changes nothing of the training") {
    Settings other = small_td();
    other.set("bank_size", int64_t{16});
    other.set("log_interval", int64_t{3});
    RunOf a("td", small_td()), b("td", other);
    a.advance_to(60);
    b.advance_to(60);
    CHECK(a.snapshot().weights == b.snapshot().weights);
}

TEST_CASE("theory's matrices are Theorem 1's, with one layer Corollary 1's, and the signs of P are Q's") {
    for (const int64_t layers : {3, 1}) {
        Settings settings = small_td();
        settings.set("num_layers", layers);
        RunOf run("td", settings);
        run.advance_to(10);
        const Snapshot snapshot = run.snapshot();
        REQUIRE(snapshot.matrices.size() == 2);
        const NamedMatrix &P = snapshot.matrices[0], &Q = snapshot.matrices[1];
        CHECK(P.row_blocks == std::vector<Block>{{"\u03c6", 4}, {"\u03b3\u03c6'", 4}, {"R", 1}});
        CHECK((*P.target)(8, 8) == 1);
        CHECK((*Q.target)(0, 0) == -1);
        CHECK((*Q.target)(0, 4) == (layers == 1 ? 0 : 1));
        CHECK(snapshot.weights.at("P").shape == std::vector<size_t>{3, 1, 9, 9});
        CHECK(P.signs == Q.signs);  // one sign for both: they stand as a product
    }
}

TEST_CASE("the value-error plot goes beyond the context length that is asked for, with further layers") {
    RunOf run("td", small_td());
    Settings changed = small_td();
    changed.set("eval_context_length", int64_t{100});
    changed.set("eval_extra_layers", int64_t{2});
    run.set_live(changed);
    const PlotSpec plot = run.snapshot().plots.at(0);
    CHECK(plot.series[0].x.back() == 125);
    CHECK(plot.series[0].name == "transformer, 5 layers");
}

TEST_CASE("a diverging seed is counted, named, and keeps finite weights") {
    Settings settings = small_td();
    settings.set("learning_rate", 0.1);
    settings.set("initial_gain", 3.0);
    settings.set("num_layers", int64_t{12});
    settings.set("num_mrps", int64_t{400});
    RunOf run("td", settings);
    run.advance_to(400);
    REQUIRE(run.num_failed() > 0);
    const Snapshot snapshot = run.snapshot();
    for (size_t k = 0; k < 3; ++k)
        if (snapshot.seeds[k].failed) {
            CHECK(snapshot.seeds[k].reason.find("diverged in MRP") != std::string::npos);
            CHECK(std::isnan(snapshot.plots[0].series[0].rows[k][5]));
        }
}
