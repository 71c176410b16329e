#include <doctest/doctest.h>

#include <cmath>

#include "core/base/rng.h"
#include "tests/claims/policy_improvement/richness.h"

using namespace emergence;

TEST_CASE("improvement population: no random normal pair cancels more than the largest correlation says") {
    const ImprovementPopulation population({{Improvement::sarsa, 4, 2, 3, 0}, 6}, {}, 40, 3);
    const Richness found = richness_of(population);
    CHECK(found.aligned == doctest::Approx(1).epsilon(1e-12));
    CHECK(found.cancelling < 1);
    const Vec at = flat_blocks(population.target());
    const Index of_U = 7 * 4;
    const auto random_vector = [](Index size, uint32_t index) {
        Stream stream(5, Purpose::testing, index);
        Vec x(size);
        for (double& entry : x) entry = 0.5 * stream.normal();
        return x;
    };
    // Half of E |X|^2 of a small step from the manifold.
    const auto loss = [&](const Vec& U, const Vec& W) {
        Vec x = at, ignored;
        x.head(of_U) += 1e-4 * U;
        x.tail(at.size() - of_U) += 1e-4 * W;
        return population.loss(x, ignored);
    };
    for (uint32_t trial = 0; trial < 100; ++trial) {
        Vec U = random_vector(of_U, 10 + trial), W = random_vector(at.size() - of_U, 1000 + trial);
        if (U.dot(at.head(of_U)) * W.dot(at.tail(W.size())) < 0) W = -W;
        const double of_both = loss(U, W), U_alone = loss(U, 0 * W), W_alone = loss(0 * U, W);
        CHECK(-(of_both - U_alone - W_alone) / (2 * std::sqrt(U_alone * W_alone)) <= found.cancelling + 1e-3);
    }
}
