#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "core/algorithms/bandit_policy.h"
#include "core/base/linear_algebra.h"

using namespace emergence;

namespace {

struct Past {
    int arm;
    double reward;
};

// V = lambda I + sum_s c_s a_s a_s' as it is written down: d x d, summed and inverted anew in every round.
struct Naive {
    Mat inverse, V;
    Vec w;
    Naive(const BanditTrajectory& world, const std::vector<Past>& past, double lambda,
          const std::function<double(size_t)>& weight) {
        const Index d = world.actions.cols();
        V = lambda * Mat::Identity(d, d);
        Vec b = Vec::Zero(d);
        for (size_t s = 0; s < past.size(); ++s) {
            const Vec a = world.actions.row(past[s].arm).transpose();
            V += weight(s) * a * a.transpose();
            b += weight(s) * past[s].reward * a;
        }
        inverse = emergence::inverse(V);
        w = inverse * b;
    }
};

BanditChoice most_optimistic(const BanditTrajectory& world, const Naive& naive, const Mat& bonus, double alpha) {
    BanditChoice best;
    for (int k = 0; k < world.arms(); ++k) {
        const Vec x = world.actions.row(k).transpose();
        const double score = x.dot(naive.w) + alpha * std::sqrt(x.dot(bonus * x));
        if (k == 0 || score > best.optimistic) best = {k, score, x.dot(naive.w)};
    }
    return best;
}

using NaiveChoice = std::function<BanditChoice(const BanditTrajectory&, const std::vector<Past>&, int round)>;

// Both play the same rewards; returns how far apart their numbers ever are.
double apart(BanditPolicy& policy, const NaiveChoice& naive, const BanditOptions& options) {
    BanditTrajectory world;
    draw_bandit(options, 3, 1, world);
    policy.reset(world);
    Stream random = policy_stream(3, 1, 0);
    std::vector<Past> past;
    double largest = 0.0;
    for (int round = 0; round < world.rounds(); ++round) {
        const BanditChoice choice = policy.choose(round, random);
        const BanditChoice expected = naive(world, past, round);
        REQUIRE(choice.arm == expected.arm);
        largest = std::max({largest, std::abs(choice.optimistic - expected.optimistic),
                            std::abs(choice.estimate - expected.estimate)});
        past.push_back({choice.arm, world.reward(round, choice.arm)});
        policy.observe(choice.arm, past.back().reward);
    }
    return largest;
}

}  // namespace

TEST_CASE("over the arms' Gram matrix the algorithms are what they are over d x d") {
    for (const int arms : {5, 30}) {  // fewer and more than there are entries
        const BanditOptions options{.rounds = 150, .d = 12, .arms = arms};
        CAPTURE(arms);
        using enum BanditAlgorithm;
        const auto check = [&](BanditAlgorithm algorithm, const BanditConstants& constants, const NaiveChoice& naive) {
            CHECK(apart(*make_policy(algorithm, constants), naive, options) < 1e-10);
        };
        check(linucb, {.alpha = 1.0}, [](const auto& world, const auto& past, int) {
            const Naive naive(world, past, 1.0, [](size_t) { return 1.0; });
            return most_optimistic(world, naive, naive.inverse, 1.0);
        });
        check(sliding_window, {.window = 15, .window_alpha = 0.7}, [](const auto& world, const auto& past, int) {
            const std::vector<Past> recent(past.end() - std::min<ptrdiff_t>(15, std::ssize(past)), past.end());
            const Naive naive(world, recent, 1.0, [](size_t) { return 1.0; });
            return most_optimistic(world, naive, naive.inverse, 0.7);
        });
        check(discounted, {.discount = 0.9, .discounted_alpha = 1.0}, [](const auto& world, const auto& past, int) {
            const auto faded = [&past](double gamma) {
                return [gamma, n = past.size()](size_t s) { return std::pow(gamma, static_cast<double>(n - 1 - s)); };
            };
            const Naive naive(world, past, 1.0, faded(0.9)), squared(world, past, 1.0, faded(0.81));
            return most_optimistic(world, naive, naive.inverse * squared.V * naive.inverse, 1.0);
        });
        check(oracle_restart, {.restart_alpha = 1.0}, [](const auto& world, const auto& past, int round) {
            int begin = 0;
            for (const int change : world.changes)
                if (change <= round) begin = change;
            const std::vector<Past> since(past.begin() + begin, past.end());
            const Naive naive(world, since, 1.0, [](size_t) { return 1.0; });
            return most_optimistic(world, naive, naive.inverse, 1.0);
        });
    }
}

TEST_CASE("posterior samples have the posterior's mean and covariance") {
    for (const int arms : {4, 9}) {  // with more arms than entries the covariance is singular
        BanditTrajectory world;
        draw_bandit({.d = 6, .arms = arms}, 8, 0, world);
        const double v = 0.3;
        std::vector<Past> past;
        ArmRegression regression;
        regression.reset(world.gram, v);
        for (int s = 0; s < 7; ++s) {
            past.push_back({s % 3, 0.5 * s});
            regression.add(past.back().arm, past.back().reward);
        }
        const Naive naive(world, past, v, [](size_t) { return 1.0; });
        const Vec mean = world.actions * naive.w;
        const Mat covariance = v * world.actions * naive.inverse * world.actions.transpose();
        CHECK((regression.estimates() - mean).cwiseAbs().maxCoeff() < 1e-12);

        constexpr int kSamples = 40000;
        Stream random(1, Purpose::testing);
        Vec sum = Vec::Zero(arms);
        Mat squares = Mat::Zero(arms, arms);
        for (int i = 0; i < kSamples; ++i) {
            const Vec deviation = regression.sample(std::sqrt(v), random) - mean;
            sum += deviation;
            squares += deviation * deviation.transpose();
        }
        for (int i = 0; i < arms; ++i) {
            CHECK(std::abs(sum(i)) / kSamples < 4.5 * std::sqrt(covariance(i, i) / kSamples));
            for (int j = 0; j < arms; ++j) {
                const double deviation =
                    std::sqrt((covariance(i, i) * covariance(j, j) + covariance(i, j) * covariance(i, j)) / kSamples);
                CHECK(std::abs(squares(i, j) / kSamples - covariance(i, j)) < 4.5 * deviation);
            }
        }
    }
}

TEST_CASE("who knows the cosine keeps the exact posterior") {
    BanditTrajectory world;
    draw_bandit({.rounds = 60}, 2, 0, world);
    const auto policy = make_policy(BanditAlgorithm::cosine_thompson, {});
    policy->reset(world);
    Stream random = policy_stream(2, 0, 0);
    // N(1/2, 1/12 I) before, and y = r / cos = <a, w> + noise.
    const Index d = world.actions.cols();
    Mat precision = 12.0 * Mat::Identity(d, d);
    Vec shift = Vec::Constant(d, 6.0);
    for (int round = 0; round < 60; ++round) {
        const BanditChoice choice = policy->choose(round, random);
        const double cosine = world.modifier[static_cast<size_t>(round)];
        const Vec a = world.actions.row(choice.arm).transpose();
        const Vec mean = inverse(precision) * shift;
        CHECK(choice.estimate == doctest::Approx(cosine * a.dot(mean)).epsilon(1e-9));
        const double reward = world.reward(round, choice.arm);
        policy->observe(choice.arm, reward);
        precision += a * a.transpose() / (1.5 * 1.5);
        shift += a * (reward / cosine) / (1.5 * 1.5);
    }
}

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

MasterOptions over_linucb(bool theory) {
    return {[] { return make_policy(BanditAlgorithm::linucb, {}); }, theory};
}

}  // namespace

TEST_CASE("in theory blocks double from one round on") {
    const BanditTrajectory world = quiet_world(200);
    Master master(over_linucb(true));
    const MasterTimeline timeline = play(master, world, [](int) { return 0.0; });
    CHECK(timeline.blocks == std::vector<int>{0, 1, 3, 7, 15, 31, 63, 127});
    CHECK(timeline.restarts.empty());
    CHECK(timeline.active.size() == 200);
}

TEST_CASE("instances begin at multiples of their length, the lowest live order acts") {
    const BanditTrajectory world = quiet_world(1000);
    Master master(over_linucb(true));
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
    Master master(over_linucb(false));
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
            Master master(over_linucb(true));
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
