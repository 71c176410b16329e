#include "core/tasks/task.h"

#include <doctest/doctest.h>

using namespace emergence;

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
        const Eigen::VectorXd weight = stationary_distribution(mrp), v = differential_value(mrp, weight);
        const double mean = weight.dot(mrp.reward);
        CHECK(((mrp.reward.array() - mean).matrix() + mrp.transition * v - v).cwiseAbs().maxCoeff() < 1e-12);
        CHECK(std::abs(weight.dot(v)) < 1e-12);
    }
}
