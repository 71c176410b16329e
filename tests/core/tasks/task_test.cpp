#include "core/tasks/task.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "core/base/error.h"
#include "core/base/linear_algebra.h"
#include "tests/support/matrices.h"

using namespace emergence;

namespace {

Mrp chain(const Mat& transition, const Vec& initial) {
    Mrp mrp;
    mrp.transition = transition;
    mrp.initial = initial;
    mrp.reward = Vec::Constant(initial.size(), 1.0);
    mrp.features = Mat::Identity(initial.size(), initial.size());
    return mrp;
}

}  // namespace

TEST_CASE("errors of a chain that returns to every state are weighed by its stationary distribution, bit for bit") {
    const Mrp mrp = chain(testing::matrix({{0.1, 0.9, 0}, {0, 0.5, 0.5}, {1, 0, 0}}), Vec::of({1, 0, 0}));
    CHECK(transient_states(mrp).empty());
    CHECK(error_weights(mrp, stationary_distribution(mrp)) == stationary_distribution(mrp));
}

TEST_CASE("errors of an episode that ends are weighed by the visits before its end") {
    // From a or b; a stays with 1/2, goes to b with 1/4, ends with 1/4; b ends.
    const Mrp mrp = chain(testing::matrix({{0.5, 0.25, 0.25}, {0, 0, 1}, {0, 0, 1}}), Vec::of({0.5, 0.5, 0}));
    CHECK(transient_states(mrp) == std::vector<int>{0, 1});
    // Visits: a 1, b 1/2 + 1/4.
    const Vec weights = error_weights(mrp, stationary_distribution(mrp));
    CHECK(testing::close(weights, Vec::of({4.0 / 7, 3.0 / 7, 0})));
    // It ends in a loop of two states.
    const Mat loop = testing::matrix({{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, 1, 0}});
    Mrp long_end = chain(loop, Vec::of({1, 0, 0, 0}));
    // Its states pay: their values are what a prediction may miss.
    CHECK(testing::close(error_weights(long_end, stationary_distribution(long_end)), Vec::of({0, 0, 0.5, 0.5})));
    long_end.reward.tail(2).setZero();
    CHECK(transient_states(long_end) == std::vector<int>{0, 1});
    CHECK(testing::close(error_weights(long_end, stationary_distribution(long_end)), Vec::of({0.5, 0.5, 0, 0})));
    // It begins where it stays.
    const Mrp within = chain(loop, Vec::of({0, 0, 1, 0}));
    CHECK(testing::close(error_weights(within, stationary_distribution(within)), Vec::of({0, 0, 0.5, 0.5})));
}

TEST_CASE("too easy tasks share what is fixed, in every world, and nothing else") {
    for (const TaskKind kind : {TaskKind::boyan, TaskKind::loop}) {
        Mrp a, b;
        draw_mrp({.kind = kind, .fixed_transition = true}, 3, 4, a);
        draw_mrp({.kind = kind, .fixed_transition = true}, 8, 5, b);
        CHECK(a.transition == b.transition);
        CHECK(a.initial == b.initial);
        CHECK(a.features != b.features);
        CHECK(a.reward != b.reward);
        draw_mrp({.kind = kind, .fixed_features = true}, 3, 4, a);
        draw_mrp({.kind = kind, .fixed_features = true}, 8, 5, b);
        CHECK(a.features == b.features);
        CHECK(a.transition != b.transition);
        CHECK(a.reward != b.reward);
    }
    const auto first_row = [](bool transition, bool features, uint32_t index) {
        const auto task =
            make_task({.kind = TaskKind::cart_pole, .fixed_transition = transition, .fixed_features = features});
        task->draw(3, index);
        Stream stream(1, Purpose::testing);
        task->start(stream);
        for (int t = 0; t < 30; ++t) task->step(stream);
        return std::vector<double>(task->row(), task->row() + 5);
    };
    CHECK(first_row(true, true, 1)[0] == first_row(true, true, 2)[0]);
    CHECK(first_row(true, true, 1)[4] != first_row(true, true, 2)[4]);
    CHECK(first_row(true, false, 1)[0] != first_row(true, false, 2)[0]);
}

TEST_CASE("a trajectory has the rows of its states") {
    const auto task = make_task({});
    task->draw(3, 4);
    REQUIRE(task->mrp() != nullptr);
    const Mrp& mrp = *task->mrp();
    StateSampler sampler;
    sampler.reset(mrp);
    Stream a(1, Purpose::testing), b(1, Purpose::testing);
    task->start(a);
    int state = sampler.first(b.uniform());
    for (int t = 0; t < 50; ++t) {
        for (int i = 0; i < 4; ++i) CHECK(task->row()[i] == mrp.features(i, state));
        CHECK(task->row()[4] == mrp.reward[state]);
        task->step(a);
        state = sampler.next(state, b.uniform());
    }
    CHECK(make_task({.kind = TaskKind::cart_pole})->mrp() == nullptr);
}

TEST_CASE("differential values solve their Bellman equation and have mean 0") {
    for (uint32_t index = 0; index < 5; ++index) {
        Mrp mrp;
        // A threshold of 1 leaves the bare ring, which is periodic.
        draw_mrp({.kind = TaskKind::loop, .max_threshold = 0.99}, 3, index, mrp);
        const Vec weight = stationary_distribution(mrp), v = differential_value(mrp, weight);
        const double mean = weight.dot(mrp.reward);
        CHECK((mrp.reward.cwisePlus(-mean) + mrp.transition * v - v).cwiseAbs().maxCoeff() < 1e-12);
        CHECK(std::abs(weight.dot(v)) < 1e-12);
    }
}

TEST_CASE("a chain is what Algorithm 2 says") {
    Mrp mrp;
    for (uint32_t index = 0; index < 20; ++index) {
        draw_mrp({}, 7, index, mrp);
        CHECK((mrp.transition.rowSums() - Vec::Constant(10, 1.0)).cwiseAbs().maxCoeff() < 1e-14);
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

namespace {

// Values solve the Bellman equation and are linear in features that represent them, the stationary distribution is
// stationary. Returns the weights.
Vec check_solutions(const Mrp& mrp, bool representable) {
    const Vec v = true_value(mrp, 0.9), mu = stationary_distribution(mrp);
    CHECK((mrp.reward + 0.9 * (mrp.transition * v) - v).cwiseAbs().maxCoeff() < 1e-12);
    CHECK((mrp.transition.transpose() * mu - mu).cwiseAbs().maxCoeff() < 1e-14);
    Vec w = least_norm_solution(mrp.features.transpose(), v);
    if (representable) CHECK((mrp.features.transpose() * w - v).cwiseAbs().maxCoeff() < 1e-11);
    return w;
}

}  // namespace

TEST_CASE("chains have exact values and a stationary distribution, representable ones linear values") {
    Mrp mrp;
    for (const bool representable : {false, true}) {
        draw_mrp({.representable = representable}, 7, 3, mrp);
        check_solutions(mrp, representable);
        CHECK(stationary_distribution(mrp).minCoeff() > 0);
    }
    draw_mrp({.representable = true, .normal_true_weights = false}, 1, 0, mrp);
    CHECK(check_solutions(mrp, true).cwiseAbs().maxCoeff() < 1);
}

TEST_CASE("a two-state chain by hand") {
    Mrp mrp;
    mrp.initial = Vec::of({1, 0});
    mrp.transition = testing::matrix({{0, 1}, {0.5, 0.5}});
    mrp.reward = Vec::of({1, 0});
    // v0 = 1 + v1/2, v1 = v0/4 + v1/4 with gamma = 1/2: v0 = 6/5, v1 = 2/5; mu = (1/3, 2/3).
    const Vec v = true_value(mrp, 0.5), mu = stationary_distribution(mrp);
    CHECK(v[0] == doctest::Approx(1.2).epsilon(1e-14));
    CHECK(v[1] == doctest::Approx(0.4).epsilon(1e-14));
    CHECK(mu[0] == doctest::Approx(1.0 / 3).epsilon(1e-14));
    mrp.transition = Mat::Identity(2, 2);
    CHECK_THROWS_WITH_AS(stationary_distribution(mrp),
                         doctest::Contains("transition: the chain has no unique stationary distribution"), InputError);
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
    Vec first = Vec::Zero(10), last = Vec::Zero(10);
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
int connections(const Mrp& mrp) {
    int count = 0;
    for (const double p : mrp.transition) count += p > 0;
    return count;
}
}  // namespace

TEST_CASE("a loop is what its definition says") {
    Mrp mrp;
    std::set<int> sizes;
    for (uint32_t index = 0; index < 200; ++index) {
        draw_mrp({.num_states = 15, .d = 5, .kind = TaskKind::loop, .min_states = 5}, 7, index, mrp);
        const int m = mrp.num_states();
        sizes.insert(m);
        CHECK((mrp.transition.rowSums() - Vec::Constant(m, 1.0)).cwiseAbs().maxCoeff() < 1e-14);
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
        check_solutions(mrp, true);
    }
}
