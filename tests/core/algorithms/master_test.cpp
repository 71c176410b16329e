#include "core/algorithms/master.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/algorithms/linear_bandits.h"

using namespace emergence;

namespace {

// Always pulls arm 0 and says what it is told to say of it.
class Scripted final : public BanditPolicy {
  public:
    explicit Scripted(double optimistic, double estimate) : optimistic_(optimistic), estimate_(estimate) {}
    void reset(const BanditTrajectory&) override {}
    BanditChoice choose(int, Stream&) override { return {0, optimistic_, estimate_}; }
    void observe(int, double) override {}

  private:
    double optimistic_, estimate_;
};

BanditTrajectory quiet_world(int rounds) {
    BanditTrajectory world;
    draw_bandit({.rounds = rounds, .d = 4, .arms = 3, .frequency = 0.0}, 1, 0, world);
    return world;
}

// Plays with given rewards in place of the world's.
template <class Reward>
MasterTimeline play(Master& master, const BanditTrajectory& world, const Reward& reward) {
    Stream random = policy_stream(1, 0, 0);
    master.reset(world);
    for (int round = 0; round < world.rounds(); ++round)
        master.observe(master.choose(round, random).arm, reward(round));
    return master.timeline();
}

MasterOptions linucb(bool theory, double probability = 0.0) {
    return {[] { return std::make_unique<LinUcb>(1.0); }, theory, probability};
}

}  // namespace

TEST_CASE("in theory blocks double from one round on") {
    const BanditTrajectory world = quiet_world(200);
    Master master(linucb(true));
    const MasterTimeline timeline = play(master, world, [](int) { return 0.0; });
    CHECK(timeline.blocks == std::vector<int>{0, 1, 3, 7, 15, 31, 63, 127});
    CHECK(timeline.restarts.empty());
    CHECK(timeline.active.size() == 200);
}

TEST_CASE("instances begin at multiples of their length, the lowest live order acts") {
    const BanditTrajectory world = quiet_world(1000);
    Master master(linucb(true));
    const MasterTimeline timeline = play(master, world, [](int) { return 0.0; });
    std::vector<int> lowest(1000, 99);
    std::vector<int> scheduled(10, 0);
    size_t block = 0;
    for (const auto& instance : timeline.instances) {
        while (block + 1 < timeline.blocks.size() && timeline.blocks[block + 1] <= instance.begin) ++block;
        const int tau = instance.begin - timeline.blocks[block];
        CHECK(tau % (1 << instance.order) == 0);
        CHECK(instance.end == std::min(instance.begin + (1 << instance.order), 1000));
        for (int round = instance.begin; round < instance.end; ++round)
            lowest[static_cast<size_t>(round)] = std::min(lowest[static_cast<size_t>(round)], instance.order);
        if (block == 8) ++scheduled[static_cast<size_t>(instance.order)];
    }
    CHECK(timeline.active == lowest);
    CHECK(scheduled[8] == 1);
    // Order 2 of the block of 256 rounds: 64 chances of 2^-3 each.
    CHECK(std::abs(scheduled[2] - 8) < 4 * std::sqrt(7.0));
}

TEST_CASE("in practice blocks begin with 128 rounds, and without q there is one instance a block") {
    const BanditTrajectory world = quiet_world(1000);
    Master master(linucb(false));
    const double good = world.means(0, 0);
    // The estimate is right from the start, so that nothing is to be found.
    Master told({[good] { return std::make_unique<Scripted>(good, good); }, false, 0.0});
    const MasterTimeline timeline = play(told, world, [good](int) { return good; });
    CHECK(timeline.blocks == std::vector<int>{0, 128, 384, 896});
    CHECK(timeline.instances.size() == 4);
    Master lively({[good] { return std::make_unique<Scripted>(good, good); }, false, 0.1});
    const MasterTimeline more = play(lively, world, [good](int) { return good; });
    CHECK(more.instances.size() > 4);
    for (const auto& instance : more.instances) CHECK(instance.order >= 4);
}

TEST_CASE("test 2 fires when rewards fall below the estimate, at the first suffix that shows it") {
    const BanditTrajectory world = quiet_world(300);
    const double sigma = world.noise_scale;
    Master master({[] { return std::make_unique<Scripted>(2.0, 1.0); }, false, 0.0});
    // From round 100 on each reward is 1.2 sigma below the estimate: w = 8 needs 3 / sqrt(8) = 1.06 sigma on
    // average.
    const MasterTimeline timeline =
        play(master, world, [sigma](int round) { return round < 100 ? 1.0 : 1.0 - 1.2 * sigma; });
    REQUIRE(!timeline.restarts.empty());
    // Eight such rounds in a row, less what seven and a good one have: sum 8.4 sigma < 3 sqrt(8) sigma = 8.49
    // sigma.
    CHECK(timeline.restarts[0].round == 107);
    CHECK(timeline.restarts[0].test == 2);
    CHECK(timeline.blocks[1] == 108);
    CHECK(timeline.instances[0].end == 108);
    CHECK(timeline.test_2[106] == doctest::Approx(7 * 1.2 / (3 * std::sqrt(8.0))));
}

TEST_CASE("test 1 fires at an instance's end when rewards have risen above U") {
    const BanditTrajectory world = quiet_world(300);
    const double sigma = world.noise_scale, needed = 3 * sigma / std::sqrt(128.0);
    for (const double above : {0.99, 1.01}) {
        Master master({[] { return std::make_unique<Scripted>(1.0, 1.0); }, false, 0.0});
        const MasterTimeline timeline = play(master, world, [&](int) { return 1.0 + above * needed; });
        CHECK(timeline.test_1[127] == doctest::Approx(above));
        CHECK(std::isnan(timeline.test_1[126]));
        CHECK((timeline.restarts.empty() ? 0 : timeline.restarts[0].test) == (above > 1.0 ? 1 : 0));
    }
}

TEST_CASE("with the theory's constants no test fires at these horizons") {
    for (const auto& options : {BanditOptions{}, BanditOptions{.kind = BanditKind::elevated, .rounds = 1000}})
        for (uint32_t index = 0; index < 10; ++index) {
            BanditTrajectory world;
            draw_bandit(options, 4, index, world);
            Master master(linucb(true));
            Stream random = policy_stream(4, index, 0);
            master.reset(world);
            for (int round = 0; round < world.rounds(); ++round) {
                const int arm = master.choose(round, random).arm;
                master.observe(arm, world.reward(round, arm));
            }
            CHECK(master.timeline().restarts.empty());
            for (const double statistic : master.timeline().test_2) CHECK(statistic < 0.1);
        }
}
