// The star: derivatives against differences, and points that are known.
#include "core/measures/star.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "core/base/rng.h"
#include "tests/support/differences.h"

namespace emergence::star_test {
namespace {

StarOptions quick_options(StarLoss loss = {}) {
    return {.tasks = {.num_states = 6, .d = 3, .gamma = 0.8}, .context_length = 8, .windows = 16, .loss = loss};
}

}  // namespace

TEST_CASE("values of the family are its weight vectors times the query, with exact derivatives") {
    constexpr int kD = 3, kSize = 5;
    Stream stream(1, Purpose::testing);
    std::vector<double> moments(static_cast<size_t>(num_moments(kD) * 16)), queries(kD * 16), forms(kD * kD * 16);
    for (double& moment : moments) moment = 0.3 * stream.normal();
    for (double& entry : queries) entry = stream.normal();
    for (int i = 0; i < 16; ++i)
        for (int a = 0; a < kD * kD; ++a)
            forms[lane_place(i, kD * kD, a)] = queries[lane_place(i, kD, a / kD)] * queries[lane_place(i, kD, a % kD)];
    const FamilyBank bank{moments.data(), forms.data(), 1, kD};
    const std::vector<double> x = {0.6, -0.2, 0.7, 1.2, 1.9}, zero(kD * 16);
    const std::vector<double> values = family_values(bank, queries.data(), x);
    const std::vector<double> squares = family_errors(bank, zero.data(), x, Steps::scalar);
    for (int i = 0; i < 16; ++i) {
        const double v = values[lane_place(i, 1 + kSize, 0)];
        CHECK(v * v == doctest::Approx(squares[static_cast<size_t>(i)]).epsilon(1e-10));
    }
    for (int k = 0; k < kSize; ++k) {
        std::vector<double> up = x, down = x;
        up[static_cast<size_t>(k)] += 1e-5;
        down[static_cast<size_t>(k)] -= 1e-5;
        const auto ahead = family_values(bank, queries.data(), up), back = family_values(bank, queries.data(), down);
        for (int i = 0; i < 16; ++i) {
            const size_t at = lane_place(i, 1 + kSize, 0);
            CHECK(values[lane_place(i, 1 + kSize, 1 + k)] ==
                  doctest::Approx((ahead[at] - back[at]) / 2e-5).epsilon(1e-6));
        }
    }
}

TEST_CASE("the pull of a loss that is minimised is half its descent") {
    for (const bool exact : {false, true})
        for (const StarLoss& loss : {StarLoss{.follows_target = true}, StarLoss{.value_error = true}}) {
            StarOptions options = quick_options(loss);
            options.exact_contexts = exact;
            const StarPrompts prompts(options, 40, 0);
            Vec theta = Vec::of({0.6, -0.2, 0.7, 1.2, 1.9});
            const auto at = prompts.pull(theta);
            for (Index k = 0; k < theta.size(); ++k) {
                const double slope = testing::slope_by(theta[k], [&] { return prompts.pull(theta).loss; });
                CHECK(std::abs(-2 * at.update[k] - slope) < 1e-6 * (at.loss + std::abs(slope)));
            }
        }
}

TEST_CASE("TD(lambda) lies between TD and Monte Carlo") {
    const Vec theta = Vec::of({0.6, -0.2, 0.7, 1.2, 1.9});
    const auto loss_at = [&](double lambda) {
        StarOptions options = quick_options({.lambda = lambda});
        options.windows = 4;  // all are used
        return StarPrompts(options, 40, 0).pull(theta);
    };
    CHECK((loss_at(1e-9).update - loss_at(0).update).norm() < 1e-6);
    CHECK((loss_at(1 - 1e-9).update - loss_at(1).update).norm() < 1e-6);
}

TEST_CASE("the star of the TD loss lies where trained networks land, and at TD for long contexts") {
    const Star found = star_of({});
    REQUIRE(found.found);
    MESSAGE("beta " << found.beta.value << " +- " << found.beta.half << ", c " << found.c.value << " +- "
                    << found.c.half);
    CHECK(std::abs(found.beta.value - 0.78) < 0.08);
    CHECK(std::abs(found.c.value + 0.1) < 0.08);
    CHECK(found.beta.half < 0.05);
    CHECK(found.reachable());
    const Star again = star_of({});
    CHECK(again.beta.value == found.beta.value);
    const Star exact = star_of({.tasks = {.representable = true}, .exact_contexts = true, .mrps = 200});
    REQUIRE(exact.found);
    MESSAGE("exact: beta " << exact.beta.value << ", c " << exact.c.value);
    CHECK(std::abs(exact.beta.value - 1) < 0.1);
    CHECK(std::abs(exact.c.value) < 0.1);
}

TEST_CASE("the star of the residual gradient is a minimum with a valley") {
    const StarOptions options{.loss = {.follows_target = true}, .mrps = 300};
    const Star found = star_of(options);
    REQUIRE(found.found);
    MESSAGE("beta " << found.beta.value << ", c " << found.c.value << ", valley " << found.valley_beta << ", "
                    << found.valley_c);
    CHECK(std::abs(found.c.value - 0.8) < 0.2);
    CHECK(found.valley_beta > 0.2);
}

TEST_CASE("there is no star of CartPole, nor of many layers") {
    CHECK_THROWS_AS(star_of({.tasks = {.kind = TaskKind::cart_pole}}), InputError);
    CHECK_THROWS_AS(star_of({.layers = kMostStarLayers + 1}), InputError);
}

}  // namespace emergence::star_test
