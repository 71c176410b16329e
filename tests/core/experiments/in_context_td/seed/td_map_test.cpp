// A run logs where its networks lie on the map of algorithms.
#include "core/experiments/in_context_td/seed/td_map.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/experiments/identify.h"
#include "core/experiments/registry.h"
#include "core/lab/runs/run.h"
#include "core/lab/runs/thread_pool.h"
#include "tests/support/make_run.h"

namespace emergence::td_map_test {
namespace {

Settings small(std::vector<std::pair<const char*, const char*>> changes) {
    Settings settings(find_experiment("td").fields);
    for (const auto& [name, value] : std::vector<std::pair<const char*, const char*>>{
             {"seeds", "2"}, {"bank_size", "416"}, {"num_mrps", "150"}})
        settings.set_from_text(name, value);
    for (const auto& [name, value] : changes) settings.set_from_text(name, value);
    return settings;
}

MetricHistory history_of(Run& run, int64_t steps) {
    MetricHistory history(run.study().metrics(), 2);
    for (const MetricRow& row : run.advance_to(steps)) history.append(row);
    return history;
}

}  // namespace

TEST_CASE("a run logs its place on the map, which is where identify finds its networks") {
    ThreadPool pool(2);
    Run run = testing::make_run("td", small({{"initial_gain", "0.01"}, {"representable", "true"}}), pool);
    const MetricHistory history = history_of(run, 150);
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
    ThreadPool pool(1);
    Run curved = testing::make_run("td", small({{"activation", "tanh"}}), pool);
    for (const MetricInfo& metric : curved.study().metrics()) CHECK_FALSE(metric.name.starts_with("map_"));
    Run single = testing::make_run("td", small({{"num_layers", "1"}}), pool);
    const MetricHistory history = history_of(single, 20);
    CHECK(std::isnan(history.column("map_beta", 0).back()));
    CHECK(std::isfinite(history.column("map_unexplained", 0).back()));
}

}  // namespace emergence::td_map_test
