#include "core/training/multi_task_td.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/models/network_windows.h"

using namespace emergence;

namespace {
MultiTaskTd trained_on_mrps(const MultiTaskTdOptions& options, uint64_t seed, int mrps) {
    MultiTaskTd training(options, seed);
    for (int i = 0; i < mrps; ++i) training.train_one_mrp();
    return training;
}
}  // namespace

TEST_CASE("initial weights are Xavier normal with gain 0.1 and do not depend on depth or context") {
    MultiTaskTdOptions deep;
    deep.num_layers = 5;
    deep.context_length = 77;
    CHECK(MultiTaskTd({}, 1).weights() == MultiTaskTd(deep, 1).weights());
    double sum = 0;
    for (uint64_t seed = 0; seed < 50; ++seed) {
        const MultiTaskTd training({}, seed);
        for (const float x : training.weights()) sum += static_cast<double>(x) * static_cast<double>(x);
    }
    // 8100 draws: the variance 0.01 / 9 within four standard errors.
    CHECK(sum / 8100 == doctest::Approx(0.01 / 9).epsilon(4 * std::sqrt(2.0 / 8100)));
}

TEST_CASE("a given network trains as the built-in one, to the bit: the TD kernel is only faster") {
    for (const bool sequential : {false, true}) {
        MultiTaskTdOptions options;
        options.sequential = sequential;
        MultiTaskTd general(options, 6, attention_network(options.shape(), options, 6));
        for (int i = 0; i < 20; ++i) general.train_one_mrp();
        const MultiTaskTd fast = trained_on_mrps(options, 6, 20);
        CHECK(general.weights() == fast.weights());
        CHECK(general.alpha() == fast.alpha());
        CHECK(general.blocks().size() == (sequential ? 6 : 2));
    }
}

TEST_CASE("tasks come from the pool, each about equally often, else each is fresh") {
    std::vector<int> seen(4);
    for (int64_t mrp = 0; mrp < 4000; ++mrp) {
        const uint32_t index = task_index(4, 3, mrp);
        REQUIRE(index < 4);
        ++seen[index];
        CHECK(task_index(0, 3, mrp) == mrp);
        CHECK(task_index(1, 3, mrp) == 0);
    }
    for (const int count : seen) CHECK(std::abs(count - 1000) < 4.5 * std::sqrt(4000 * 0.25 * 0.75));
    // A pool of 1 is a world of one task, on trajectories of their own.
    MultiTaskTdOptions pool;
    pool.pool_size = 1;
    CHECK(trained_on_mrps(pool, 1, 1).weights() == trained_on_mrps({}, 1, 1).weights());
    CHECK(trained_on_mrps(pool, 1, 2).weights() != trained_on_mrps({}, 1, 2).weights());
}

TEST_CASE("an update a prompt is Algorithm 1: theta += alpha delta grad v, prompt by prompt") {
    MultiTaskTdOptions options;
    options.context_length = 7;
    options.minibatch_size = 5;
    options.minibatches_per_mrp = 2;
    options.update_each_prompt = true;
    options.plain_gradient = true;
    options.adam = {.learning_rate = 0.05};
    const MultiTaskTd training = trained_on_mrps(options, 2, 1);

    // The same by hand in double: one trajectory, ten prompts.
    const PhasedLayout layout = PhasedLayout::of(7, 1);
    const auto network = make_network_windows<double>(options.shape(), layout);
    const auto initial = attention_network(options.shape(), options, 2).initial_weights;
    std::vector<double> weights(initial.begin(), initial.end()), gradient(weights.size());
    const auto task = make_task(options.tasks);
    task->draw(2, 0);
    Stream stream(2, Purpose::trajectory, 0, 0);
    task->start(stream);
    std::vector<std::vector<double>> rows;
    for (int t = 0; t < layout.num_states() + 10; ++t) {
        rows.emplace_back(task->row(), task->row() + 5);
        task->step(stream);
    }
    std::vector<double> trajectory(static_cast<size_t>(5 * layout.row_size()));
    for (size_t prompt = 0; prompt < 10; ++prompt) {
        for (int t = 0; t < layout.num_states(); ++t)
            for (int i = 0; i < 5; ++i)
                trajectory[static_cast<size_t>(i * layout.row_size() + layout.at(t))] =
                    rows[prompt + static_cast<size_t>(t)][static_cast<size_t>(i)];
        double v[2];
        network->forward(trajectory.data(), 0.9, weights.data(), v);
        const double delta = rows[prompt + 8][4] + 0.9 * v[1] - v[0];
        const double by_value[2] = {delta, 0};
        network->backward(by_value, gradient.data());
        for (size_t i = 0; i < weights.size(); ++i) weights[i] += 0.05 * gradient[i];
    }
    double moved = 0, apart = 0;
    for (size_t i = 0; i < weights.size(); ++i) {
        moved = std::max(moved, std::abs(weights[i] - static_cast<double>(initial[i])));
        apart = std::max(apart, std::abs(weights[i] - static_cast<double>(training.weights()[i])));
    }
    CHECK(moved > 1e-4);
    CHECK(apart < 1e-3 * moved);
}

TEST_CASE("average reward: the mean of the rewards so far is taken off, and there is no discount") {
    MultiTaskTdOptions options;
    options.initial_gain = 1e-3;  // predicts almost nothing: the loss is the mean of (R - rbar)^2
    options.loss.kind = LossKind::average_reward;
    const auto task = make_task(options.tasks);
    task->draw(4, 0);
    Stream stream(4, Purpose::trajectory, 0, 0);
    task->start(stream);
    double sum = 0, expected = 0;
    for (int t = 0; t < 31 + 64; ++t) {
        const double reward = task->row()[4];
        sum += reward;
        if (t >= 31) expected += std::pow(reward - sum / (t + 1), 2) / 64;
        task->step(stream);
    }
    CHECK(MultiTaskTd(options, 4).take_mean_loss() == doctest::Approx(expected).epsilon(1e-4));
    const double loss = MultiTaskTd(options, 4).take_mean_loss();
    options.tasks.gamma = 0.2;
    CHECK(MultiTaskTd(options, 4).take_mean_loss() == loss);
}

TEST_CASE("a depth change keeps the data: losses of untrained networks see the same prompts") {
    // With weights this small a network predicts nearly zero, so the loss is the mean squared reward of the
    // same states.
    MultiTaskTdOptions options;
    options.initial_gain = 1e-3;
    MultiTaskTd shallow(options, 9);
    options.num_layers = 7;
    MultiTaskTd deep(options, 9);
    CHECK(shallow.take_mean_loss() == doctest::Approx(deep.take_mean_loss()).epsilon(1e-4));
}
