#include "core/measures/improvement_manifold.h"

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
            CHECK(std::sqrt((blocks.P12 - point.P12).squaredNorm() + (blocks.V21 - point.V21).squaredNorm()) >=
                  fit.distance - 1e-12);
        }
        const EffectiveBlocks nearest = rescaled(target, fit.c);
        CHECK(fit.relative ==
              doctest::Approx(fit.distance / std::sqrt(nearest.P12.squaredNorm() + nearest.V21.squaredNorm())));
    }
}

TEST_CASE("improvement manifold: a start off it is as far, and straight off it") {
    const ImprovementShape shape{{Improvement::sarsa, 4, 2, 3, 0}, 6};
    const EffectiveBlocks target = constructed_blocks(shape, 0.2, 0.8);
    Stream stream(1, Purpose::testing);
    const EffectiveBlocks near = off_manifold(target, 0.7, 0.01, stream);
    const ManifoldFit fit = fit_manifold(near, target);
    CHECK(fit.relative == doctest::Approx(0.01).epsilon(1e-3));
    CHECK(fit.c == doctest::Approx(0.7).epsilon(1e-3));
    const EffectiveBlocks far = off_manifold(target, 0.7, 2.0, stream), point = rescaled(target, 0.7);
    const Eigen::MatrixXd U = far.P12 - point.P12, W = far.V21 - point.V21;
    CHECK(std::sqrt((U.squaredNorm() + W.squaredNorm()) / (point.P12.squaredNorm() + point.V21.squaredNorm())) ==
          doctest::Approx(2.0));
    CHECK(std::abs(U.cwiseProduct(target.P12).sum() - W.cwiseProduct(target.V21).sum() / 0.49) < 1e-12);
}

TEST_CASE("improvement manifold: each of its points has a balance of its own") {
    const ImprovementShape shape{{Improvement::actor_critic, 4, 2, 2, 3}, 6};
    const EffectiveBlocks target = constructed_blocks(shape, 0.2, 0.8);
    for (const double c : {0.1, 0.9, -3.0})
        CHECK(scale_of_balance(target, block_balance(rescaled(target, c))) == doctest::Approx(std::abs(c)));
}
