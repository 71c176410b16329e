// A run logs where its networks lie on the map of algorithms.
#include "core/experiments/in_context_td/seed/td_map.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/experiments/identify.h"
#include "tests/support/small_runs.h"

namespace emergence::td_map_test {
namespace {

using testing::Changes;
using testing::RunOf;

Changes with(const Changes& more) {
    Changes all = {{"seeds", "2"}, {"bank_size", "416"}, {"num_mrps", "150"}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

}  // namespace

TEST_CASE("a run logs its place on the map, which is where identify finds its networks") {
    RunOf run("td", with({{"initial_gain", "0.01"}, {"representable", "true"}}));
    const MetricHistory history = run.history_to(150);
    const std::vector<IdentifiedNetwork> found = identify(run.snapshot(), 2);
    for (int seed = 0; seed < 2; ++seed) {
        const IdentifiedNetwork& network = found[static_cast<size_t>(seed)];
        const auto last = [&](const char* metric) { return history.column(metric, seed).back(); };
        CHECK(last("map_unexplained") == doctest::Approx(network.unexplained).epsilon(0.05));
        CHECK(std::abs(last("map_beta") - network.beta.value) < 0.05);
        CHECK(std::abs(last("map_c") - network.c.value) < 0.05);
        const double width = network.beta.high - network.beta.low;
        CHECK(last("map_beta_half") == doctest::Approx(width / 2).epsilon(0.5));
    }
}

TEST_CASE("networks that are not linear have no place on the map, single layers none along beta") {
    const RunOf curved("td", with({{"activation", "tanh"}}));
    for (const MetricInfo& metric : curved.study().metrics()) CHECK_FALSE(metric.name.starts_with("map_"));
    const MetricHistory history = RunOf("td", with({{"num_layers", "1"}})).history_to(20);
    CHECK(std::isnan(history.column("map_beta", 0).back()));
    CHECK(std::isfinite(history.column("map_unexplained", 0).back()));
}

}  // namespace emergence::td_map_test
