#include "core/tasks/loop.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "core/base/linear_algebra.h"

using namespace emergence;

namespace {
int connections(const Mrp& mrp) { return static_cast<int>((mrp.transition.array() > 0).count()); }
}  // namespace

TEST_CASE("a loop is what its definition says") {
    Mrp mrp;
    std::set<int> sizes;
    for (uint32_t index = 0; index < 200; ++index) {
        draw_loop({.min_states = 5, .max_states = 15, .d = 5}, 7, index, mrp);
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
            draw_loop({.min_threshold = t, .max_threshold = t}, 3, index, mrp);
            kept += connections(mrp) - 10;
            pairs += 80;
        }
        const double p = (0.99 - t) / 0.98;
        CHECK(std::abs(kept / pairs - p) < 4.5 * std::sqrt(p * (1 - p) / pairs));
    }
}

TEST_CASE("moving the threshold removes connections of the same loop") {
    Mrp dense, sparse;
    draw_loop({.min_threshold = 0.2, .max_threshold = 0.2}, 3, 5, dense);
    draw_loop({.min_threshold = 0.7, .max_threshold = 0.7}, 3, 5, sparse);
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
        draw_loop({.max_threshold = index < 10 ? 0.9 : 0.99, .representable = true}, 7, index, mrp);
        const Eigen::VectorXd v = true_value(mrp, 0.9), mu = stationary_distribution(mrp);
        CHECK((mrp.reward + 0.9 * (mrp.transition * v) - v).cwiseAbs().maxCoeff() < 1e-12);
        CHECK((mrp.transition.transpose() * mu - mu).cwiseAbs().maxCoeff() < 1e-14);
        const Eigen::VectorXd w = least_norm_solution(mrp.features.transpose(), v);
        CHECK((mrp.features.transpose() * w - v).cwiseAbs().maxCoeff() < 1e-11);
    }
}
