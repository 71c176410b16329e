// A run logs where its networks lie on the map of algorithms, which is where identify finds them.
#include "core/experiments/in_context_td/seed/td_map.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/experiments/identify.h"
#include "tests/support/small_runs.h"

namespace emergence::td_map_test {
namespace {

using testing::Changes;
using testing::RunOf;

Changes mapped_with(const Changes& more) {
    Changes all = {{"seeds", "2"}, {"bank_size", "416"}, {"num_mrps", "150"}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

}  // namespace

TEST_CASE("networks that are not linear have no place on the map, single layers none along beta") {
    const RunOf curved("td", mapped_with({{"activation", "tanh"}}));
    for (const MetricInfo& metric : curved.study().metrics()) CHECK_FALSE(metric.name.starts_with("map_"));
    const MetricHistory history = RunOf("td", mapped_with({{"num_layers", "1"}})).history_to(20);
    CHECK(std::isnan(history.column("map_beta", 0).back()));
    CHECK(std::isfinite(history.column("map_unexplained", 0).back()));
}

TEST_CASE("a place is that of the loss's own algorithm, or says what it lacks") {
    InContextTdConfig config;
    const auto at = [](double beta, double c, double unexplained) {
        MapPlace place;
        place.beta = beta, place.c = c, place.unexplained = unexplained;
        return place;
    };
    CHECK(lacks_own_place(config, at(0.8, -0.1, 0.05)).empty());
    CHECK(lacks_own_place(config, at(0.8, -0.1, 0.2)) == "the nearest algorithm leaves 20 % unexplained");
    CHECK(lacks_own_place(config, at(0.9, 0.8, 0.04)).starts_with("bootstraps 0.90 of the way, takes 0.80"));
    CHECK_FALSE(lacks_own_place(config, at(MapPlace::kUnknown, 0, 0.04)).empty());
    CHECK_FALSE(lacks_own_place(config, {}).empty());
    config.loss.kind = LossKind::residual_gradient;
    CHECK(lacks_own_place(config, at(0.9, 0.8, 0.04)).empty());
    CHECK_FALSE(lacks_own_place(config, at(0.8, -0.1, 0.05)).empty());
    CHECK(has_own_place(config));
    config.loss.kind = LossKind::monte_carlo;
    CHECK_FALSE(has_own_place(config));
    config.loss.kind = LossKind::td;
    config.num_layers = 1;
    CHECK(lacks_own_place(config, at(MapPlace::kUnknown, 0, 0.04)).empty());
}

TEST_CASE("a place that its intervals leave open names the algorithms that cannot be told apart") {
    MapPlace place;
    place.c = 0, place.c_half = 0.05, place.unexplained = 0.02;
    CHECK(words_of_place(place) ==
          "its values do not show how much it bootstraps, takes none of the target's gradient; 2 % unexplained; "
          "cannot be told apart: TD without bootstrapping, TD");
    place.beta = 0.8, place.beta_half = 0.1;
    CHECK(words_of_place(place).ends_with("2 % unexplained"));
    place.beta_half = 2.1;
    CHECK(
        words_of_place(place).starts_with("its values hardly show how much it bootstraps (-1.30 to 2.90), takes none"));
    CHECK(words_of_place(place).ends_with("cannot be told apart: TD without bootstrapping, TD"));
    place.beta_half = 0.1, place.unexplained = 0.3;
    CHECK(words_of_place(place).starts_with("none of these; nearest: bootstraps 0.80 of the way"));
}

TEST_CASE("a seed's words say what it computes, and what it lacks of its loss's algorithm") {
    SeedStatus seed;
    CHECK(function_text(seed).empty());
    seed.computes = "does not bootstrap";
    CHECK(function_text(seed) ==
          "\nFunction is not judged: no algorithm of the map is expected of it"
          "\nWhat it computes: does not bootstrap");
    seed.emerged = true;
    CHECK(emergence_words(seed) == std::string("emerged in pattern"));
    seed.function = false;
    seed.function_lacks = "does not bootstrap";
    CHECK(function_text(seed) == "\nNot in function: does not bootstrap");
    CHECK(emergence_words(seed) == std::string("emerged in pattern, not in function"));
    CHECK(!has_emerged(seed));
    seed.function = true;
    CHECK(has_emerged(seed));
}

TEST_CASE("a seed has emerged in function once its place has been its algorithm's for ten logged steps in a row") {
    RunOf run("td", mapped_with({{"num_mrps", "1000"}}));
    const MetricHistory history = run.history_to(1000);
    int emerged = 0;
    for (int seed = 0; seed < 2; ++seed) {
        int64_t lasting = 0;
        for (size_t i = 0; i < history.steps().size(); ++i) {
            MapPlace place;
            place.beta = history.column("map_beta", seed)[i];
            place.c = history.column("map_c", seed)[i];
            place.unexplained = history.column("map_unexplained", seed)[i];
            lasting = lacks_own_place({}, place).empty() ? lasting + 1 : 0;
            CHECK(history.column("emerged_function", seed)[i] == (lasting >= kLastingSteps ? 1 : 0));
        }
        const SeedStatus status = run.seed_status(seed);
        REQUIRE(status.function.has_value());
        CHECK(*status.function == (lasting >= kLastingSteps));
        CHECK(status.function_lacks.empty() == *status.function);
        CHECK(status.emerged == (history.column("emerged_pattern", seed).back() == 1));
        emerged += *status.function ? 1 : 0;
        // Both last for ten logged steps.
        for (size_t i = 0; i + 1 < static_cast<size_t>(kLastingSteps); ++i)
            CHECK(history.column("emerged_pattern", seed)[i] == 0);
        if (*status.function)
            CHECK(status.function_at == 10 * (static_cast<int64_t>(history.steps().size()) - lasting));
        CHECK(!status.computes.empty());
    }
    CHECK(emerged > 0);
    const std::vector<IdentifiedNetwork> found = identify(run.snapshot(), 2);
    for (int seed = 0; seed < 2; ++seed) {
        const IdentifiedNetwork& network = found[seed];
        const auto last = [&](const char* metric) { return history.column(metric, seed).back(); };
        CHECK(last("map_unexplained") == doctest::Approx(network.unexplained).epsilon(0.1));
        if (network.unexplained > 0.15) continue;  // where hardly anything determines it
        CHECK(std::abs(last("map_beta") - network.beta.value) < 0.1);
        CHECK(std::abs(last("map_c") - network.c.value) < 0.1);
        CHECK(last("map_c_half") == doctest::Approx((network.c.high - network.c.low) / 2).epsilon(0.6));
    }
    CHECK(function_words(run.snapshot()) == (emerged == 2 ? "all compute TD" : "1 computes TD"));
}

TEST_CASE("a state of an earlier version has no fit, and a later moment of the same run has one") {
    RunOf run("td", mapped_with({{"seeds", "1"}}));
    run.advance_to(20);
    const auto seed = run.study().make_seed(0);
    const ArrayMap whole = run.save()[0];
    ArrayMap older = whole;
    REQUIRE(older.erase("map") == 1);
    seed->load(older);
    CHECK(seed->save() == older);
    seed->load(whole);
    CHECK(seed->save() == whole);
    older["unheard of"] = {{1}, std::vector<double>{0}};
    CHECK_THROWS_AS(seed->load(older), InputError);
    CHECK(seed->save() == whole);
}

TEST_CASE("seeds take turns with losses, each trained as in a run of its own") {
    RunOf mixed("td", mapped_with({{"more_losses", "residual gradient,monte_carlo"}, {"seeds", "3"}}));
    mixed.advance_to(20);
    const char* losses[] = {"td", "residual_gradient", "monte_carlo"};
    for (int k = 0; k < 3; ++k) {
        const std::string number = std::to_string(k);
        RunOf alone("td", mapped_with({{"loss", losses[k]}, {"seed", number.c_str()}, {"seeds", "1"}}));
        alone.advance_to(20);
        CHECK(alone.save()[0].at("weights") == mixed.save()[k].at("weights"));
    }
    const auto refused = [](const char* text, const char* loss) {
        CHECK_THROWS_AS(RunOf("td", mapped_with({{"more_losses", text}, {"loss", loss}})), InputError);
    };
    refused("residual", "td");
    refused("average_reward", "td");
    refused("td", "average_reward");
    const std::vector<MetricPlot>& plots = mixed.study().metric_plots();
    const auto map = std::find_if(plots.begin(), plots.end(), [](const MetricPlot& plot) { return plot.id == "map"; });
    REQUIRE(map != plots.end());
    CHECK(map->plane->groups.size() == 3);
    CHECK(map->plane->groups[1].name == "residual-gradient loss");
}

}  // namespace emergence::td_map_test
