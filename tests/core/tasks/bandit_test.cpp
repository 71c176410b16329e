#include "core/tasks/bandit.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "core/base/error.h"

using namespace emergence;

namespace {
BanditTrajectory drawn_world(const BanditOptions& options, uint32_t index = 0) {
    BanditTrajectory world;
    draw_bandit(options, 11, index, world);
    return world;
}
}  // namespace

TEST_CASE("the cosine multiplies means and noise, and its sign changes are known") {
    const BanditTrajectory still = drawn_world({.frequency = 0.0}), world = drawn_world({.frequency = 0.018});
    CHECK(still.changes.empty());
    for (int round = 0; round < 200; ++round) {
        const double cosine = std::cos(2 * std::numbers::pi * 0.018 * (round + 1));
        CHECK(world.modifier[static_cast<size_t>(round)] == cosine);
        for (int k = 0; k < 10; ++k)
            CHECK(world.reward(round, k) == doctest::Approx(cosine * still.reward(round, k)).epsilon(1e-12));
    }
    // cos(2 pi b t) is 0 at t = 13.9, 41.7, ...: the first t behind each is a round that begins something.
    REQUIRE(world.changes.size() == 7);
    CHECK(world.changes[0] + 1 == 14);
    CHECK(world.changes[1] + 1 == 42);
}

TEST_CASE("elevated rewards are scaled to 0 .. 1 and never change which arm is best") {
    const BanditTrajectory world = drawn_world({.kind = BanditKind::elevated, .rounds = 1000});
    const Vec mu = world.means.col(0);
    CHECK(mu.minCoeff() == 0.0);
    CHECK(mu.maxCoeff() == 1.0);
    CHECK(world.changes == std::vector<int>{49, 100, 349, 400});
    for (int round = 0; round < 1000; ++round) {
        const int t = round + 1;
        const double more = (t >= 50 && t <= 100) || (t >= 350 && t <= 400) ? 3.0 : 0.0;
        CHECK((world.means.col(round) - mu).minCoeff() == doctest::Approx(more));
        CHECK((world.means.col(round) - mu).maxCoeff() == doctest::Approx(more));
        CHECK(world.best_arm[static_cast<size_t>(round)] == world.best_arm[0]);
    }
    const BanditTrajectory plain = drawn_world({.rounds = 1000, .frequency = 0.0});
    const double range = plain.means.col(0).maxCoeff() - plain.means.col(0).minCoeff();
    CHECK(world.noise_scale == doctest::Approx(1.5 / range));
    CHECK(world.noise[7] == doctest::Approx(plain.noise[7] / range));
}

TEST_CASE("abrupt segments are of equal length, and Definition 1 counts them") {
    const BanditTrajectory world = drawn_world({.kind = BanditKind::abrupt, .rounds = 1000, .segments = 3});
    CHECK(world.changes == std::vector<int>{333, 666});
    CHECK(variation_of(world).segments == 3);
    const double by_hand = (world.means.col(0) - world.means.col(400)).cwiseAbs().maxCoeff() +
                           (world.means.col(400) - world.means.col(999)).cwiseAbs().maxCoeff();
    CHECK(variation_of(world).amount == doctest::Approx(by_hand));
    CHECK(variation_of(drawn_world({.kind = BanditKind::abrupt, .segments = 1})).segments == 1);
}

TEST_CASE("drift turns from one w to another") {
    const double quarter = std::numbers::pi / 2;
    const BanditTrajectory world = drawn_world({.kind = BanditKind::drift, .rounds = 201, .angle = 2 * quarter});
    CHECK((world.means.col(0) + world.means.col(200)).cwiseAbs().maxCoeff() < 1e-12);
    CHECK(world.changes == std::vector<int>{100, 200});
    CHECK(variation_of(world).segments == 201);
    const BanditTrajectory twice = drawn_world({.kind = BanditKind::drift, .rounds = 201, .angle = 4 * quarter});
    CHECK(variation_of(twice).amount == doctest::Approx(2 * variation_of(world).amount).epsilon(0.1));
}

TEST_CASE("more rounds, arms or segments extend the same world") {
    const BanditTrajectory small =
        drawn_world({.kind = BanditKind::abrupt, .rounds = 100, .arms = 5, .segments = 1}, 3);
    const BanditTrajectory large =
        drawn_world({.kind = BanditKind::abrupt, .rounds = 400, .arms = 8, .segments = 4}, 3);
    CHECK(large.actions.topRows(5) == small.actions);
    CHECK((large.means.topRows(5).leftCols(100) - small.means).cwiseAbs().maxCoeff() < 1e-12);
    for (size_t i = 0; i < 100; ++i) CHECK(large.noise[i] == small.noise[i]);
}

TEST_CASE("two elevated windows are the paper's, others are evenly spaced and apart") {
    const auto paper = elevated_windows(2);
    REQUIRE(paper.size() == 2);
    CHECK(paper[0].first == 50);
    CHECK(paper[0].last == 100);
    CHECK(paper[1].first == 350);
    CHECK(paper[1].last == 400);
    CHECK(elevated_windows(0).empty());
    for (int count = 1; count <= kMostElevatedWindows; ++count) {
        CAPTURE(count);
        const auto windows = elevated_windows(count);
        REQUIRE(static_cast<int>(windows.size()) == count);
        for (size_t k = 0; k + 1 < windows.size(); ++k) CHECK(windows[k].last + 1 < windows[k + 1].first);
        // Definition 1 counts both ends of each.
        const BanditTrajectory world = drawn_world({.kind = BanditKind::elevated, .rounds = 1000, .windows = count});
        CHECK(variation_of(world).segments == 1 + 2 * count);
        CHECK(world.changes.size() == static_cast<size_t>(2 * count));
    }
    CHECK(variation_of(drawn_world({.kind = BanditKind::elevated, .windows = 0})).segments == 1);
}

TEST_CASE("a family draws its kinds by their shares, and amounts within their bounds") {
    BanditFamily family;
    family.shares = {0.4, 0.2, 0.25, 0.15};
    std::map<BanditKind, int> counts;
    int stationary = 0;
    constexpr int kDraws = 4000;
    for (uint32_t i = 0; i < kDraws; ++i) {
        const BanditOptions options = draw_bandit_options(family, 3, i);
        ++counts[options.kind];
        stationary += options.frequency == 0.0 ? 1 : 0;
        CHECK(options.frequency <= family.max_frequency);
        CHECK(options.segments >= 1);
        CHECK(options.segments <= family.max_segments);
        CHECK(options.angle <= family.max_angle);
    }
    CHECK(counts[BanditKind::cosine] == doctest::Approx(0.4 * kDraws).epsilon(0.06));
    CHECK(counts[BanditKind::elevated] == doctest::Approx(0.2 * kDraws).epsilon(0.1));
    CHECK(counts[BanditKind::abrupt] == doctest::Approx(0.25 * kDraws).epsilon(0.1));
    CHECK(counts[BanditKind::drift] == doctest::Approx(0.15 * kDraws).epsilon(0.1));
    CHECK(stationary == doctest::Approx(0.15 * kDraws).epsilon(0.1));
}

TEST_CASE("the paper's four frequencies come exactly, and in phase 0 unless in any") {
    for (const CosineTraining cosines : {CosineTraining::four, CosineTraining::four_any_phase}) {
        BanditFamily family;
        family.cosines = cosines;
        std::set<double> frequencies, phases;
        for (uint32_t i = 0; i < 100; ++i) {
            const BanditOptions options = draw_bandit_options(family, 3, i);
            frequencies.insert(options.frequency);
            phases.insert(options.phase);
        }
        CHECK(frequencies == std::set<double>(kPaperFrequencies.begin(), kPaperFrequencies.end()));
        CHECK(phases.size() == (cosines == CosineTraining::four ? 1 : 100));
        CHECK((cosines != CosineTraining::four || *phases.begin() == 0.0));
    }
}

TEST_CASE("all frequencies are the same ones in one phase as in any") {
    BanditFamily any, one;
    one.cosines = CosineTraining::continuous_one_phase;
    for (uint32_t i = 0; i < 100; ++i) {
        const BanditOptions of_any = draw_bandit_options(any, 3, i), of_one = draw_bandit_options(one, 3, i);
        CHECK(of_one.frequency == of_any.frequency);
        CHECK(of_one.phase == 0.0);
        CHECK(of_any.phase > 0.0);
    }
}
