// Experiment td through its public face: the registry, a run, snapshots.
#include <doctest/doctest.h>

#include <cmath>

#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/experiments/in_context_td/td.h"
#include "core/experiments/registry.h"
#include "core/lab/figures/figures.h"
#include "tests/support/scratch.h"
#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using namespace emergence::testing;

Settings small_td() { return emergence::testing::settings_of("td", "seeds=3, bank_size=64, num_mrps=60"); }

}  // namespace

TEST_CASE("what is logged, and how often, changes nothing of the training") {
    Settings other = small_td();
    testing::change(other, "bank_size=16, log_interval=3");
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

TEST_CASE("the value-error plot goes beyond the context length that is asked for") {
    RunOf run("td", small_td());
    Settings changed = small_td();
    testing::change(changed, "eval_context_length=100");
    run.set_live(changed);
    const PlotSpec plot = run.snapshot().plots.at(0);
    CHECK(plot.series[0].x.back() == 125);
}

TEST_CASE("a diverging seed is counted, named, and keeps finite weights") {
    Settings settings = small_td();
    testing::change(settings, "learning_rate=0.1, initial_gain=3.0, num_layers=12, num_mrps=400");
    RunOf run("td", settings);
    run.advance_to(400);
    REQUIRE(run.num_failed() > 0);
    const Snapshot snapshot = run.snapshot();
    for (size_t k = 0; k < 3; ++k)
        if (snapshot.seeds[k].failed) {
            CHECK(holds(snapshot.seeds[k].reason, "diverged in MRP"));
            CHECK(std::isnan(snapshot.plots[0].series[0].rows[k][5]));
            for (const double entry : snapshot.matrices[1].seeds[k].values) CHECK(std::isfinite(entry));
        }
}

// ---- Experiment td with every kind of network, through its public face

TEST_SUITE_BEGIN("release");

namespace {

Settings td_settings(const Changes& changes) {
    Changes all = {{"seeds", "2"}, {"bank_size", "160"}, {"num_mrps", "20"}, {"n", "12"}};
    all.insert(all.end(), changes.begin(), changes.end());
    return emergence::testing::settings_with("td", all);
}

}  // namespace

TEST_CASE("every network has a finite loss and finite curves, and a norm to compare with") {
    for (const emergence::testing::SmallRun& small : emergence::testing::small_runs()) {
        if (small.experiment != "td") continue;
        CAPTURE(text_of(small));
        RunOf run(small);
        const MetricHistory history = run.history_to(10);
        for (const double loss : history.column("loss", 1)) CHECK(std::isfinite(loss));
        CHECK(run.num_failed() == 0);
        const Snapshot snapshot = run.snapshot();
        int weights = 0;
        for (const NamedMatrix& matrix : snapshot.matrices) {
            if (matrix.initial_products.rows == 0) continue;  // a map, not weights
            ++weights;
            CHECK(matrix.initial_products(1, 1) > 0);
            CHECK_FALSE(matrix.alignment_note.empty());
        }
        CHECK(weights > 0);
        if (!snapshot.plots.empty())  // CartPole has none: no true values
            for (const double x : snapshot.plots[0].series[0].rows.at(1)) CHECK(std::isfinite(x));
    }
}

TEST_CASE("symmetries and theory are those of the activation") {
    const auto first = [&](const Changes& changes) {
        RunOf run("td", td_settings(changes));
        run.advance_to(0);
        return run.snapshot().matrices.front();
    };
    const NamedMatrix linear = first({}), tanh = first({{"activation", "tanh"}}),
                      softmax = first({{"activation", "softmax"}}), rnn = first({{"model", "rnn"}});
    CHECK((linear.may_scale && linear.signs.size() == 2 && linear.target));
    CHECK((!tanh.may_scale && tanh.signs.size() == 2 && !tanh.target));
    CHECK((!softmax.may_scale && softmax.signs.empty() && !softmax.target));
    CHECK((!rnn.may_scale && rnn.signs.empty() && !rnn.target));
    CHECK(rnn.name == "W_ax0");
}

TEST_CASE("entries are logged sign aligned only where signs may be flipped") {
    for (const char* activation : {"identity", "softmax"}) {
        RunOf run("td", td_settings({{"activation", activation}, {"seeds", "6"}}));
        const auto rows = run.advance_to(0);
        const NamedMatrix P = run.snapshot().matrices[0];
        int negative = 0;
        for (size_t k = 0; k < rows.size(); ++k) {
            const double corner = P.seeds[k](8, 8), sign = P.signs.empty() ? 1.0 : P.signs[k];
            CHECK(rows[k].values[2] == doctest::Approx(sign * corner));
            negative += corner < 0 ? 1 : 0;
        }
        CHECK(negative > 0);  // else nothing was tried
    }
}

TEST_CASE("sequential layers are shown one by one, P beside Q, each with its own sign") {
    RunOf run("td", td_settings({{"sequential", "true"}, {"num_layers", "2"}}));
    run.advance_to(20);
    const Snapshot snapshot = run.snapshot();
    CHECK(snapshot.matrices[1].name == "Q0");
    CHECK(snapshot.matrices[2].name == "P1");
    CHECK(snapshot.weights.at("Q").shape == std::vector<size_t>{2, 2, 9, 9});
    for (size_t k = 0; k < 2; ++k)
        for (const size_t P : {size_t{0}, size_t{2}}) {
            CHECK(snapshot.matrices[P].signs[k] * snapshot.matrices[P].seeds[k](8, 8) >= 0);
            CHECK(snapshot.matrices[P + 1].signs[k] == snapshot.matrices[P].signs[k]);
        }
}

TEST_CASE("sequential layers have emerged with Theorem 1's blocks, the last without bootstrapping") {
    // Theorem 1's P and Q in both layers, but for the upper-right block of one of them; d = 4.
    const auto emerged_without = [](size_t bare_layer) {
        const auto study = find_experiment("td").make(
            td_settings({{"sequential", "true"}, {"num_layers", "2"}, {"d", "4"}, {"learning_rate", "0"}}));
        const auto seed = study->make_seed(0);
        ArrayMap state = seed->save();
        std::vector<float> weights(4 * 81, 0.0F);  // P0, P1, Q0, Q1
        for (size_t layer = 0; layer < 2; ++layer) {
            weights[layer * 81 + 80] = 1.0F;
            for (size_t i = 0; i < 4; ++i) {
                weights[(2 + layer) * 81 + i * 9 + i] = -1.0F;
                if (layer != bare_layer) weights[(2 + layer) * 81 + i * 9 + 4 + i] = 1.0F;
            }
        }
        state["weights"] = {{weights.size()}, weights};
        seed->load(state);
        std::vector<MetricRow> rows;
        for (const int64_t step : {int64_t{0}, 2 * kLastingSteps * study->log_interval()}) seed->advance(step, rows);
        return seed->status().emerged;
    };
    CHECK(emerged_without(1));
    CHECK_FALSE(emerged_without(0));
}

TEST_CASE("Figure 2 shows and says what there is of a network, and is no figure of an RNN") {
    const FigureInfo& info = find_experiment("td").figures.at(0);
    const auto cells_of = [&](const Changes& changes) {
        RunOf run("td", td_settings(changes));
        const MetricHistory history = run.history_to(10);
        return info.draw(run.snapshot(), history).figure.cells.size();
    };
    CHECK(cells_of({}) == 6);
    CHECK(cells_of({{"activation", "softmax"}}) == 4);  // without theory's matrices
    RunOf rnn("td", td_settings({{"model", "rnn"}}));
    const MetricHistory history = rnn.history_to(10);
    CHECK(holds(why_missing(info, rnn.snapshot(), history), "trains an RNN"));
}

TEST_SUITE_END();
