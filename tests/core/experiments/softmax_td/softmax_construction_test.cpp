// Experiment softmax-construction: errors fall with the context, both forms equal the algorithm, live fields
// choose what is shown.
#include "core/experiments/softmax_td/softmax_construction.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using emergence::testing::RunOf;

Settings small_construction() {
    return emergence::testing::settings_with(
        "softmax-construction",
        {{"seeds", "2"}, {"num_states", "5"}, {"d", "8"}, {"n", "12"}, {"num_layers", "6"}, {"num_chains", "6"}});
}

}  // namespace

TEST_CASE("softmax-construction: errors fall with the context, and nothing but rounding lies between forms") {
    RunOf run("softmax-construction", small_construction());
    CHECK(run.snapshot().scalars.empty());  // no chain yet
    run.advance_to(6);
    const Snapshot snapshot = run.snapshot();
    const PlotSpec& errors = snapshot.plots[0];
    REQUIRE(errors.series[0].rows.size() == 2 * 6);
    CHECK(errors.row_word == "chain");
    CHECK(summarise(errors.series[0].rows, 8).mean < summarise(errors.series[0].rows, 0).mean);
    for (const Series& kernel : snapshot.plots[1].series) {
        REQUIRE(kernel.rows.size() == 2 * 6);
        for (const auto& row : kernel.rows) CHECK(*std::max_element(row.begin(), row.end()) < 1e-12);
    }
    CHECK(snapshot.scalars[0].value == 12);
}

TEST_CASE("softmax-construction: the errors are those of Figure 1") {
    const auto c = config_from<SoftmaxConstructionConfig>(small_construction());
    const auto bank = softmax_bank(c);
    const ConstructionErrors errors = construction_errors(*bank, 3, c, c.sharpness);
    CHECK(errors.difference < 1e-12);
    CHECK(errors.transformer == doctest::Approx(errors.algorithm).epsilon(1e-9));
    const auto prompt = bank->prompt(3);
    const double truth = prompt.values[static_cast<size_t>(prompt.states.back())];
    CHECK(errors.zero == truth * truth);
    CHECK(prompt.Z.cols() == 13);
}

TEST_CASE("softmax-construction: what is shown is chosen live: the kernel, the weights, or the chain") {
    RunOf run("softmax-construction", small_construction());
    run.advance_to(2);
    CHECK(run.snapshot().matrices.front().name == "A");
    Settings changed = small_construction();
    changed.set("show", std::string("weights"));
    run.set_live(changed);
    CHECK(run.snapshot().matrices.front().name == "P");
    changed.set("show", std::string("chain"));
    run.set_live(changed);
    const Snapshot last = run.snapshot();
    CHECK(last.matrices.front().name == "transition");
    const Table& transition = last.matrices.front().seeds[1];
    for (int s = 0; s < 5; ++s) {
        double sum = 0;
        for (int next = 0; next < 5; ++next) sum += transition(s, next);
        CHECK(sum == doctest::Approx(1.0));
    }
}
