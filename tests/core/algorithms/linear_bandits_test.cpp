#include "core/algorithms/linear_bandits.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "core/base/linear_algebra.h"

using namespace emergence;

namespace {

struct Past {
    int arm;
    double reward;
};

// V = lambda I + sum_s c_s a_s a_s' as it is written down: d x d, summed and inverted anew in every round.
struct Naive {
    Eigen::MatrixXd inverse, V;
    Eigen::VectorXd w;
    Naive(const BanditTrajectory& world, const std::vector<Past>& past, double lambda,
          const std::function<double(size_t)>& weight) {
        const Eigen::Index d = world.actions.cols();
        V = lambda * Eigen::MatrixXd::Identity(d, d);
        Eigen::VectorXd b = Eigen::VectorXd::Zero(d);
        for (size_t s = 0; s < past.size(); ++s) {
            const Eigen::VectorXd a = world.actions.row(past[s].arm).transpose();
            V += weight(s) * a * a.transpose();
            b += weight(s) * past[s].reward * a;
        }
        inverse = emergence::inverse(V);
        w = inverse * b;
    }
};

BanditChoice most_optimistic(const BanditTrajectory& world, const Naive& naive, const Eigen::MatrixXd& bonus,
                             double alpha) {
    BanditChoice best;
    for (int k = 0; k < world.arms(); ++k) {
        const Eigen::VectorXd x = world.actions.row(k).transpose();
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
        LinUcb linucb(1.0);
        CHECK(apart(
                  linucb,
                  [](const auto& world, const auto& past, int) {
                      const Naive naive(world, past, 1.0, [](size_t) { return 1.0; });
                      return most_optimistic(world, naive, naive.inverse, 1.0);
                  },
                  options) < 1e-10);

        SlidingWindowLinUcb window(0.7, 15);
        CHECK(apart(
                  window,
                  [](const auto& world, const auto& past, int) {
                      const std::vector<Past> recent(past.end() - std::min<ptrdiff_t>(15, std::ssize(past)),
                                                     past.end());
                      const Naive naive(world, recent, 1.0, [](size_t) { return 1.0; });
                      return most_optimistic(world, naive, naive.inverse, 0.7);
                  },
                  options) < 1e-10);

        DiscountedLinUcb discounted(1.0, 0.9);
        CHECK(apart(
                  discounted,
                  [](const auto& world, const auto& past, int) {
                      const auto faded = [&past](double gamma) {
                          return [gamma, n = past.size()](size_t s) {
                              return std::pow(gamma, static_cast<double>(n - 1 - s));
                          };
                      };
                      const Naive naive(world, past, 1.0, faded(0.9)), squared(world, past, 1.0, faded(0.81));
                      return most_optimistic(world, naive, naive.inverse * squared.V * naive.inverse, 1.0);
                  },
                  options) < 1e-10);

        OracleRestart oracle(std::make_unique<LinUcb>(1.0));
        CHECK(apart(
                  oracle,
                  [](const auto& world, const auto& past, int round) {
                      int begin = 0;
                      for (const int change : world.changes)
                          if (change <= round) begin = change;
                      const std::vector<Past> since(past.begin() + begin, past.end());
                      const Naive naive(world, since, 1.0, [](size_t) { return 1.0; });
                      return most_optimistic(world, naive, naive.inverse, 1.0);
                  },
                  options) < 1e-10);
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
        const Eigen::VectorXd mean = world.actions * naive.w;
        const Eigen::MatrixXd covariance = v * world.actions * naive.inverse * world.actions.transpose();
        CHECK((regression.estimates() - mean).cwiseAbs().maxCoeff() < 1e-12);

        constexpr int kSamples = 40000;
        Stream random(1, Purpose::testing);
        Eigen::VectorXd sum = Eigen::VectorXd::Zero(arms);
        Eigen::MatrixXd squares = Eigen::MatrixXd::Zero(arms, arms);
        for (int i = 0; i < kSamples; ++i) {
            const Eigen::VectorXd deviation = regression.sample(std::sqrt(v), random) - mean;
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
    CosineThompson policy;
    policy.reset(world);
    Stream random = policy_stream(2, 0, 0);
    // N(1/2, 1/12 I) before, and y = r / cos = <a, w> + noise.
    const Eigen::Index d = world.actions.cols();
    Eigen::MatrixXd precision = 12.0 * Eigen::MatrixXd::Identity(d, d);
    Eigen::VectorXd shift = 6.0 * Eigen::VectorXd::Ones(d);
    for (int round = 0; round < 60; ++round) {
        const BanditChoice choice = policy.choose(round, random);
        const double cosine = world.modifier[static_cast<size_t>(round)];
        const Eigen::VectorXd a = world.actions.row(choice.arm).transpose();
        const Eigen::VectorXd mean = inverse(precision) * shift;
        CHECK(choice.estimate == doctest::Approx(cosine * a.dot(mean)).epsilon(1e-9));
        const double reward = world.reward(round, choice.arm);
        policy.observe(choice.arm, reward);
        precision += a * a.transpose() / (1.5 * 1.5);
        shift += a * (reward / cosine) / (1.5 * 1.5);
    }
}
