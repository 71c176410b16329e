// Experiment evaluation: Figure 1 against the authors' code.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/experiments/registry.h"
#include "core/files/csv.h"
#include "core/lab/figures/figures.h"
#include "tests/support/judged.h"
#include "tests/support/places.h"
#include "tests/support/small_runs.h"

using namespace emergence;

namespace {

using emergence::testing::RunOf;

Settings settings_with(int64_t tasks, int64_t seeds) {
    Settings settings(find_experiment("evaluation").fields);
    settings.set("num_tasks", tasks);
    settings.set("seeds", seeds);
    return settings;
}

}  // namespace

TEST_CASE("Figure 1: transformer and batch TD have the curve of the authors' code" * doctest::test_suite("release")) {
    RunOf run("evaluation", settings_with(1000, 20));
    run.advance_to(1000);
    const ArrayMap statistics = run.snapshot().weights;
    const NumericTable reference = read_csv(testing::data_file("wang_figure1_loop.csv"));
    const auto n = reference.column("context_length"), mean = reference.column("mean_msve"),
               error = reference.column("stderr"), median = reference.column("median_msve");
    const auto lengths = as_doubles(statistics.at("context_length"));
    REQUIRE(lengths == n);
    for (const std::string name : {"transformer", "batch_td"}) {
        const auto own = as_doubles(statistics.at(name + "_mean"));
        const auto own_error = as_doubles(statistics.at(name + "_standard_error"));
        const auto own_median = as_doubles(statistics.at(name + "_median"));
        for (size_t i = 0; i < n.size(); ++i) {
            CAPTURE(n[i]);
            CHECK(std::abs(own[i] - mean[i]) < 4 * std::hypot(own_error[i], error[i]));
            CHECK(own_median[i] == doctest::Approx(median[i]).epsilon(0.04));
        }
    }
    const auto measured = find_experiment("evaluation").figures[0].draw(run.snapshot(), {}).measured;
    const std::vector<Claim> claims = testing::shipped_claims();
    CHECK_FALSE(measured.empty());
    for (const MeasuredClaim& claim : measured) {
        CAPTURE(claim.name);
        const auto stated =
            std::find_if(claims.begin(), claims.end(), [&](const Claim& one) { return one.name == claim.name; });
        REQUIRE(stated != claims.end());
        CHECK(verdict_of(*stated, claim.measurement) == Verdict::agrees);
    }
}

TEST_CASE("evaluation: tasks with one context length") {
    Settings settings = settings_with(50, 1);
    testing::change(settings, "task=boyan, max_context_length=1");
    RunOf run("evaluation", settings);
    CHECK(run.advance_to(50).size() == 1);
}
