#include "core/metrics/improvement_manifold.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/rng.h"

using namespace emergence;

TEST_CASE("on the manifold the scale is found, of either sign, and the distance is 0") {
    const ImprovementShape shape{{Improvement::actor_critic, 4, 3, 3, 5}, 6};
    const EffectiveBlocks target = constructed_blocks(shape, 0.2, 0.8);
    for (const double c : {1.0, 0.05, -0.7, 12.0}) {
        const ManifoldFit fit = fit_manifold(rescaled(target, c), target);
        CHECK(fit.c == doctest::Approx(c).epsilon(1e-9));
        CHECK(fit.distance < 1e-9);
    }
}

TEST_CASE("off the manifold no other scale is nearer") {
    const ImprovementShape shape{{Improvement::sarsa, 3, 2, 4, 0}, 6};
    const EffectiveBlocks target = constructed_blocks(shape, 0.2, 0);
    for (uint32_t index = 0; index < 20; ++index) {
        Stream stream(1, Purpose::testing, index);
        EffectiveBlocks blocks = rescaled(target, index % 2 == 0 ? 0.4 : -0.4);
        for (Eigen::MatrixXd* block : {&blocks.P12, &blocks.V21})
            for (Eigen::Index i = 0; i < block->size(); ++i) (*block)(i) += 0.2 * stream.normal();
        const ManifoldFit fit = fit_manifold(blocks, target);
        for (double c = -3.0; c < 3.0; c += 0.01) {
            if (std::abs(c) < 1e-9) continue;
            const EffectiveBlocks point = rescaled(target, c);
            CHECK(std::sqrt((blocks.P12 - point.P12).squaredNorm() +
                            (blocks.V21 - point.V21).squaredNorm()) >= fit.distance - 1e-12);
        }
        const EffectiveBlocks nearest = rescaled(target, fit.c);
        CHECK(fit.relative == doctest::Approx(fit.distance / std::sqrt(nearest.P12.squaredNorm() +
                                                                       nearest.V21.squaredNorm())));
    }
}
