#include "core/measures/improvement_measures.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/rng.h"
#include "core/models/constructions.h"
#include "core/training/teacher_mimicking.h"

using namespace emergence;

namespace {

ClosedLoopOptions small_loop(Improvement algorithm) {
    ClosedLoopOptions options;
    options.shape = {algorithm == Improvement::sarsa ? ImprovementSizes{algorithm, 9, 4, 36, 0}
                                                     : ImprovementSizes{algorithm, 9, 4, 9, 36},
                     20};
    options.mdps = 20;
    options.updates = 100;
    options.rollouts = 0;
    return options;
}

double mean_at(const LoopReturns& returns, size_t at) {
    double sum = 0;
    for (const auto& row : returns) sum += row[at];
    return sum / static_cast<double>(returns.size());
}

}  // namespace

TEST_CASE("closed loop: the constructed weights do what the teacher does, window for window") {
    for (const Improvement algorithm : {Improvement::sarsa, Improvement::actor_critic}) {
        const ClosedLoopOptions options = small_loop(algorithm);
        const ClosedLoop loop(options);
        const auto weights = weights_of<float>(options.shape, constructed_blocks(options.shape, 0.2, 0.8));
        const LoopReturns own = loop.transformer(weights.data());
        REQUIRE(own.size() == 20);
        REQUIRE(own[0].size() == 11);
        CHECK(own[3][0] == loop.teacher()[3][0]);
        // Rounding is another: in most MDPs it never changes an action.
        int same = 0;
        for (size_t i = 0; i < own.size(); ++i)
            same += std::abs(own[i].back() - loop.teacher()[i].back()) < 1e-3 ? 1 : 0;
        CHECK(same >= 15);
    }
}

TEST_CASE("closed loop: policies get better, between random and oracle; no update changes nothing") {
    for (const Improvement algorithm : {Improvement::sarsa, Improvement::actor_critic}) {
        const ClosedLoopOptions options = small_loop(algorithm);
        const ClosedLoop loop(options);
        CHECK(mean_at(loop.teacher(), 10) > mean_at(loop.teacher(), 0));
        for (size_t i = 0; i < 20; ++i) {
            const Mdp mdp = random_improvement_task(options.shape.sizes, options.seed, static_cast<uint32_t>(i)).mdp;
            const double exploring =
                mdp.initial.dot(best_exploring_values(mdp, options.agent.gamma, options.agent.epsilon));
            CHECK(loop.random()[i] < exploring);
            CHECK(exploring < loop.oracle()[i]);
            for (const double x : loop.teacher()[i]) CHECK(x <= exploring + 1e-9);
        }
        const auto nothing = weights_of<float>(options.shape, rescaled(constructed_blocks(options.shape, 0, 0), 1));
        const LoopReturns still = loop.transformer(nothing.data());
        for (const auto& row : still) CHECK(row.front() == row.back());
    }
}

TEST_CASE("closed loop: played returns agree with exact ones, and are the same every time") {
    ClosedLoopOptions options = small_loop(Improvement::sarsa);
    const ClosedLoop exact(options);
    options.rollouts = 200;
    const ClosedLoop played(options), again(options);
    CHECK(played.teacher() == again.teacher());
    // 20 MDPs of 200 plays with a deviation of about 0.6 each.
    CHECK(std::abs(mean_at(played.teacher(), 5) - mean_at(exact.teacher(), 5)) < 4 * 0.6 / std::sqrt(4000));
}

namespace {

const ImprovementShape kWindowShape;  // the paper's SARSA
const AgentOptions kWindowAgent;

}  // namespace

TEST_CASE("on held-out windows the constructed weights lose nothing, and no weights what no update loses") {
    const HeldOutWindows windows(kWindowShape, kWindowAgent, 50, 3, 4, 5);
    const std::vector<float> constructed =
        weights_of<float>(kWindowShape, constructed_blocks(kWindowShape, kWindowAgent.alpha, kWindowAgent.beta));
    const std::vector<float> none(constructed.size(), 0.0F);
    CHECK(windows.loss(nullptr) > 1e-4);
    CHECK(windows.loss(constructed.data()) < 1e-10 * windows.loss(nullptr));
    CHECK(windows.loss(none.data()) == windows.loss(nullptr));
}

TEST_CASE("held-out windows are those of the teacher's way through their MDPs") {
    // A learning rate of 0 leaves the weights as they are, so that training logs their loss on every window.
    TeacherMimickingOptions options;
    options.frames = 6;
    options.adam.learning_rate = 0.0;
    constexpr uint64_t kSeed = 4;
    TeacherMimicking training(options, kSeed);
    for (int i = 0; i < 3 * options.frames; ++i) training.update();
    const TeacherMimicking::Losses logged = training.take_mean_losses();
    const HeldOutWindows all(options.shape, options.agent, options.frames, kSeed, 3, options.frames);
    CHECK(all.loss(training.weights().data()) == doctest::Approx(logged.loss).epsilon(1e-6));
    CHECK(all.loss(nullptr) == doctest::Approx(logged.zero).epsilon(1e-6));
    // Fewer windows than asked for: all.
    const HeldOutWindows more(options.shape, options.agent, options.frames, kSeed, 3, 100);
    CHECK(more.loss(training.weights().data()) == all.loss(training.weights().data()));
    // One of each MDP: that in the middle.
    const HeldOutWindows one(options.shape, options.agent, 1, kSeed, 3, 20);
    CHECK(one.loss(nullptr) != all.loss(nullptr));
}

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
        for (Mat* block : {&blocks.P12, &blocks.V21})
            for (Index i = 0; i < block->size(); ++i) (*block)(i) += 0.2 * stream.normal();
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
    const Mat U = far.P12 - point.P12, W = far.V21 - point.V21;
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
