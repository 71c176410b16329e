#include "core/experiments/in_context_td/pictures/td_pictures.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/base/eigen.h"
#include "core/experiments/in_context_td/td.h"
#include "core/models/attention_naive.h"
#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

Settings microscope_settings(int layer) {
    Settings settings =
        emergence::testing::settings_of("td", "seeds=2, bank_size=32, look_inside=microscope, world_state=2");
    settings.set("layer", int64_t{layer});
    return settings;
}

Snapshot trained_td_snapshot(const Settings& settings) {
    emergence::testing::RunOf run("td", settings);
    run.advance_to(60);
    return run.snapshot();
}

}  // namespace

TEST_CASE("through the learned network the value by w_l is the forward pass's, and the prompt's own") {
    const Settings settings = microscope_settings(3);
    const Snapshot snapshot = trained_td_snapshot(settings);
    const auto config = config_from<InContextTdConfig>(settings);
    const TdWorld world = td_world(config, nullptr);
    const Vec query = world.mrp.features.col(1);
    const Mat Z = td_prompt(world.context, query);
    const NamedMatrix* w = find_matrix(snapshot, "w");
    const NamedMatrix* last = find_matrix(snapshot, "Z");
    const Series& values = emergence::testing::required_plot(snapshot, "microscope_values").series[0];
    for (size_t k = 0; k < 2; ++k) {
        const auto part = [&](const char* name) -> Eigen::MatrixXd {
            const std::vector<double> all = as_doubles(snapshot.weights.at(name));
            return Eigen::Map<const RowMajorMatrix>(all.data() + 81 * k, 9, 9);
        };
        NaiveAttention<double> network({part("P")}, {part("Q")}, 3);
        network.forward(eigen(Z));
        const double value = network.value();
        CHECK(values.rows[k].back() == doctest::Approx(value).epsilon(1e-12));
        CHECK(-last->seeds[k](8, 30) == doctest::Approx(value).epsilon(1e-12));
        double by_weight = 0.0;
        for (int i = 0; i < 4; ++i) by_weight += w->seeds[k](3, i) * query[i];
        CHECK(by_weight == doctest::Approx(value).epsilon(1e-10));
    }
}

TEST_CASE("the keys step from the prompt to the last layer") {
    const Snapshot first = trained_td_snapshot(microscope_settings(0));
    CHECK(first.stepping.field == "layer");
    CHECK(first.stepping.first == 0);
    CHECK(first.stepping.last == 3);
    CHECK(find_matrix(first, "Z")->title == "Z, the prompt");
}

TEST_CASE("an edit of the world is an edit of the microscope's prompt") {
    Settings edited = microscope_settings(0);
    const Snapshot before = trained_td_snapshot(edited);
    edited.set("world_edits", std::string("r10=5"));
    const std::unique_ptr<Study> study = in_context_td().make(edited);
    const Snapshot after = study->inspect(before, {"evaluate", edited});
    int changed = 0;
    for (int j = 0; j < 30; ++j) {
        const double r = find_matrix(after, "Z")->seeds[0](8, j);
        if (r != find_matrix(before, "Z")->seeds[0](8, j)) {
            CHECK(r == 5.0);
            ++changed;
        }
    }
    CHECK(changed > 0);
}
