// What studies made of StudyOf have in common.
#include "core/experiments/study_of.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/experiments/registry.h"

using namespace emergence;

namespace {

using FieldTexts = std::vector<std::pair<const char*, const char*>>;

Settings changed(const char* experiment, const FieldTexts& changes) {
    Settings settings(find_experiment(experiment).fields);
    for (const auto& [name, value] : changes) settings.set_from_text(name, value);
    return settings;
}

struct Evaluated {
    Snapshot before, after;
    Settings asked;
};

// A snapshot after two steps, evaluated at these settings with another length of the run.
Evaluated evaluate_longer(const char* experiment, FieldTexts changes, const char* num_steps) {
    const auto study = find_experiment(experiment).make(changed(experiment, changes));
    const auto seed = study->make_seed(0);
    std::vector<MetricRow> rows;
    seed->advance(2, rows);
    changes.emplace_back(num_steps, "77");
    Settings asked = changed(experiment, changes);
    Snapshot before = study->describe({seed.get()});
    Snapshot after = study->inspect(before, {"evaluate", asked});
    CHECK_THROWS_WITH_AS(
        study->inspect(before, {"surgery", asked}),
        doctest::Contains(
            ("inspection 'surgery': experiment " + std::string(experiment) + " knows 'evaluate'").c_str()),
        InputError);
    return {std::move(before), std::move(after), std::move(asked)};
}

// Missing values are NaN.
bool same_numbers(const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

TEST_CASE("studies whose live fields select no picture answer 'evaluate' with the pictures as they are") {
    for (const auto& [experiment, changes, num_steps] :
         std::vector<std::tuple<const char*, FieldTexts, const char*>>{
             {"basins",
              {{"d", "1"}, {"seeds", "1"}, {"log_interval", "1"}, {"bank_size", "16"}, {"num_gains", "2"}},
              "num_mrps"},
             {"invariant-set", {{"d", "2"}, {"seeds", "1"}, {"distance", "0.1"}}, "num_steps"},
             {"policy-flow", {{"windows", "50"}, {"d", "2"}, {"seeds", "1"}}, "num_steps"}}) {
        CAPTURE(experiment);
        const auto [before, after, asked] = evaluate_longer(experiment, changes, num_steps);
        CHECK(before.evaluated);
        CHECK(after.evaluated);
        CHECK(after.settings == asked);
        CHECK(after.step == 2);
        CHECK(after.headline == before.headline);
        CHECK(after.weights == before.weights);
        REQUIRE(after.matrices.size() == before.matrices.size());
        for (size_t i = 0; i < before.matrices.size(); ++i)
            CHECK(same_numbers(after.matrices[i].seeds[0].values, before.matrices[i].seeds[0].values));
        REQUIRE(after.plots.size() == before.plots.size());
        for (size_t i = 0; i < before.plots.size(); ++i) {
            REQUIRE(after.plots[i].series.size() == before.plots[i].series.size());
            for (size_t k = 0; k < before.plots[i].series.size(); ++k)
                CHECK(
                    same_numbers(after.plots[i].series[k].rows.at(0), before.plots[i].series[k].rows.at(0)));
        }
        REQUIRE(after.scalars.size() == before.scalars.size());
        for (size_t i = 0; i < before.scalars.size(); ++i)
            CHECK(same_numbers({after.scalars[i].value}, {before.scalars[i].value}));
    }
}

TEST_CASE("a run that would log nothing is refused with the length of the run") {
    const Settings settings = changed("one-layer-flow", {{"log_interval", "100"}, {"num_mrps", "50"}});
    CHECK_THROWS_WITH_AS(
        check_log_interval(settings, "num_mrps"),
        "log_interval: 100 is more than num_mrps = 50, so the run would log nothing. Lower it.", InputError);
    CHECK_NOTHROW(check_log_interval(changed("one-layer-flow", {{"log_interval", "50"}, {"num_mrps", "50"}}),
                                     "num_mrps"));
    CHECK_NOTHROW(check_log_interval(changed("policy-flow", {}), "num_steps"));
}
