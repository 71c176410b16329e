#include "core/tasks/task.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/base/linear_algebra.h"

using namespace emergence;

TEST_CASE("a chain is what Algorithm 2 says") {
    Mrp mrp;
    for (uint32_t index = 0; index < 20; ++index) {
        draw_mrp({}, 7, index, mrp);
        CHECK((mrp.transition.rowwise().sum() - Eigen::VectorXd::Ones(10)).cwiseAbs().maxCoeff() < 1e-14);
        CHECK(mrp.initial.sum() == doctest::Approx(1).epsilon(1e-14));
        for (int i = 0; i < 8; ++i) {
            CHECK(mrp.transition(i, i + 1) > 0.01);
            CHECK(mrp.transition(i, i + 1) < 0.99);
            CHECK(mrp.transition(i, i + 2) == 1 - mrp.transition(i, i + 1));
        }
        CHECK(mrp.transition(8, 9) == 1);
        CHECK(mrp.transition.row(9).minCoeff() > 0);
        CHECK(mrp.reward.cwiseAbs().maxCoeff() < 1);
        CHECK(mrp.features.cwiseAbs().maxCoeff() < 1);
    }
}

TEST_CASE("values satisfy the Bellman equation, the stationary distribution is stationary") {
    Mrp mrp;
    for (const bool representable : {false, true}) {
        draw_mrp({.representable = representable}, 7, 3, mrp);
        const Eigen::VectorXd v = true_value(mrp, 0.9);
        CHECK((mrp.reward + 0.9 * (mrp.transition * v) - v).cwiseAbs().maxCoeff() < 1e-12);
        const Eigen::VectorXd mu = stationary_distribution(mrp);
        CHECK((mrp.transition.transpose() * mu - mu).cwiseAbs().maxCoeff() < 1e-14);
        CHECK(mu.minCoeff() > 0);
    }
}

TEST_CASE("a two-state chain by hand") {
    Mrp mrp;
    mrp.initial = Eigen::Vector2d(1, 0);
    mrp.transition.resize(2, 2);
    mrp.transition << 0, 1, 0.5, 0.5;
    mrp.reward = Eigen::Vector2d(1, 0);
    // v0 = 1 + v1/2, v1 = v0/4 + v1/4 with gamma = 1/2: v0 = 6/5, v1 = 2/5; mu = (1/3, 2/3).
    const Eigen::VectorXd v = true_value(mrp, 0.5), mu = stationary_distribution(mrp);
    CHECK(v[0] == doctest::Approx(1.2).epsilon(1e-14));
    CHECK(v[1] == doctest::Approx(0.4).epsilon(1e-14));
    CHECK(mu[0] == doctest::Approx(1.0 / 3).epsilon(1e-14));
    mrp.transition << 1, 0, 0, 1;
    CHECK_THROWS_WITH_AS(stationary_distribution(mrp),
                         doctest::Contains("transition: the chain has no unique stationary distribution"), InputError);
}

TEST_CASE("representable chains have values linear in their features") {
    Mrp mrp;
    for (const bool normal : {true, false}) {
        draw_mrp({.representable = true, .normal_true_weights = normal}, 1, 0, mrp);
        const Eigen::VectorXd v = true_value(mrp, 0.9);
        const Eigen::VectorXd w = least_norm_solution(mrp.features.transpose(), v);
        CHECK((mrp.features.transpose() * w - v).cwiseAbs().maxCoeff() < 1e-12);
        if (!normal) CHECK(w.cwiseAbs().maxCoeff() < 1);
    }
}

TEST_CASE("more features and more states extend the same world") {
    Mrp small, wide, tall;
    draw_mrp({.num_states = 10, .d = 4}, 5, 2, small);
    draw_mrp({.num_states = 10, .d = 6}, 5, 2, wide);
    draw_mrp({.num_states = 12, .d = 4}, 5, 2, tall);
    CHECK(wide.features.topRows(4) == small.features);
    CHECK(wide.transition == small.transition);
    CHECK(wide.reward == small.reward);
    CHECK(tall.features.leftCols(10) == small.features);
    CHECK(tall.reward.head(10) == small.reward);
    CHECK(tall.transition(3, 4) == small.transition(3, 4));
}

TEST_CASE("sampled transitions have their probabilities") {
    Mrp mrp;
    draw_mrp({}, 11, 0, mrp);
    StateSampler sampler;
    sampler.reset(mrp);
    Stream stream(1, Purpose::testing);
    const int count = 100000;
    Eigen::VectorXd first = Eigen::VectorXd::Zero(10), last = Eigen::VectorXd::Zero(10);
    for (int i = 0; i < count; ++i) {
        first[sampler.first(stream.uniform())] += 1.0 / count;
        last[sampler.next(9, stream.uniform())] += 1.0 / count;
    }
    for (int s = 0; s < 10; ++s) {
        CHECK(std::abs(first[s] - mrp.initial[s]) < 4.5 * std::sqrt(mrp.initial[s] / count));
        CHECK(std::abs(last[s] - mrp.transition(9, s)) < 4.5 * std::sqrt(mrp.transition(9, s) / count));
    }
    // Impossible transitions never happen, whatever the uniform.
    CHECK(sampler.next(8, 0.9999999) == 9);
    CHECK(sampler.next(0, 1e-12) == 1);
    CHECK(sampler.next(0, 1.0 - 1e-12) == 2);
}

namespace {
int connections(const Mrp& mrp) { return static_cast<int>((mrp.transition.array() > 0).count()); }
}  // namespace

TEST_CASE("a loop is what its definition says") {
    Mrp mrp;
    std::set<int> sizes;
    for (uint32_t index = 0; index < 200; ++index) {
        draw_mrp({.num_states = 15, .d = 5, .kind = TaskKind::loop, .min_states = 5}, 7, index, mrp);
        const int m = mrp.num_states();
        sizes.insert(m);
        CHECK((mrp.transition.rowwise().sum() - Eigen::VectorXd::Ones(m)).cwiseAbs().maxCoeff() < 1e-14);
        CHECK(mrp.initial.sum() == doctest::Approx(1).epsilon(1e-14));
        for (int i = 0; i < m; ++i) {
            CHECK(mrp.transition(i, i) == 0);
            CHECK(mrp.transition(i, (i + 1) % m) > 0);
        }
        CHECK(mrp.features.rows() == 5);
        CHECK(mrp.features.cols() == m);
        CHECK(mrp.reward.size() == m);
    }
    CHECK(sizes.size() == 11);  // 5 .. 15, each with about 18 of 200
}

TEST_CASE("the threshold says which share of connections is kept") {
    // Beside the m sure ones, m (m - 2) connections are each kept with probability (0.99 - t) / 0.98.
    for (const double t : {0.1, 0.5, 0.9}) {
        Mrp mrp;
        double kept = 0, pairs = 0;
        for (uint32_t index = 0; index < 200; ++index) {
            draw_mrp({.kind = TaskKind::loop, .min_threshold = t, .max_threshold = t}, 3, index, mrp);
            kept += connections(mrp) - 10;
            pairs += 80;
        }
        const double p = (0.99 - t) / 0.98;
        CHECK(std::abs(kept / pairs - p) < 4.5 * std::sqrt(p * (1 - p) / pairs));
    }
}

TEST_CASE("moving the threshold removes connections of the same loop") {
    Mrp dense, sparse;
    draw_mrp({.kind = TaskKind::loop, .min_threshold = 0.2, .max_threshold = 0.2}, 3, 5, dense);
    draw_mrp({.kind = TaskKind::loop, .min_threshold = 0.7, .max_threshold = 0.7}, 3, 5, sparse);
    CHECK(connections(sparse) < connections(dense));
    for (int i = 0; i < 10; ++i)
        for (int j = 0; j < 10; ++j)
            if (sparse.transition(i, j) > 0) CHECK(dense.transition(i, j) > 0);
    CHECK(sparse.features == dense.features);
    CHECK(sparse.reward == dense.reward);
}

TEST_CASE("loops have exact values and a stationary distribution, representable ones linear values") {
    Mrp mrp;
    for (uint32_t index = 0; index < 20; ++index) {
        // At a threshold near 1 only the cycle is left, which is periodic and still has one distribution.
        draw_mrp({.representable = true, .kind = TaskKind::loop, .max_threshold = index < 10 ? 0.9 : 0.99}, 7, index,
                 mrp);
        const Eigen::VectorXd v = true_value(mrp, 0.9), mu = stationary_distribution(mrp);
        CHECK((mrp.reward + 0.9 * (mrp.transition * v) - v).cwiseAbs().maxCoeff() < 1e-12);
        CHECK((mrp.transition.transpose() * mu - mu).cwiseAbs().maxCoeff() < 1e-14);
        const Eigen::VectorXd w = least_norm_solution(mrp.features.transpose(), v);
        CHECK((mrp.features.transpose() * w - v).cwiseAbs().maxCoeff() < 1e-11);
    }
}
