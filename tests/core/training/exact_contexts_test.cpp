// Training on contexts that are their own expectation: the limit of long ones.
#include <doctest/doctest.h>

#include <cmath>

#include "core/base/rng.h"
#include "core/tasks/task.h"
#include "core/training/multi_task_td.h"

namespace emergence::exact_contexts_test {
namespace {

MultiTaskTdOptions quick_training(bool exact, int n) {
    MultiTaskTdOptions options;
    options.tasks = {.num_states = 4, .d = 2, .gamma = 0.5};
    options.num_layers = 2;
    options.context_length = n;
    options.adam.learning_rate = 1e-2;
    options.initial_gain = 0.5;
    options.minibatch_size = 16;
    options.exact_contexts = exact;
    return options;
}

double loss_after(const MultiTaskTdOptions& options, int mrps) {
    MultiTaskTd training(options, 3);
    for (int i = 0; i < mrps; ++i) training.train_one_mrp();
    return training.take_mean_loss();
}

}  // namespace

TEST_CASE("expected products are what a long trajectory's mean tends to") {
    Mrp mrp;
    draw_mrp({.num_states = 5, .d = 2}, 1, 0, mrp);
    Stream stream(1, Purpose::testing);
    constexpr int kLong = 200000;
    const Transitions context = transitions_along(mrp, 0.9, draw_path(mrp, kLong, stream));
    Mat z(5, kLong);
    z.topRows(2) = context.phi;
    z.block(2, 0, 2, kLong) = context.gamma_phi_next;
    z.row(4) = context.reward.transpose();
    CHECK((z * z.transpose() / kLong - expected_products(mrp, 0.9)).cwiseAbs().maxCoeff() < 0.02);
}

TEST_CASE("training on exact contexts does not depend on their length, and is the limit of long ones") {
    // Queries stand at other times of a trajectory, so losses are other samples of one mean.
    const double exact = loss_after(quick_training(true, 1), 100);
    CHECK(loss_after(quick_training(false, 1), 100) > 1.05 * exact);
    CHECK(loss_after(quick_training(true, 40), 100) == doctest::Approx(exact).epsilon(0.1));
    CHECK(loss_after(quick_training(false, 480), 100) == doctest::Approx(exact).epsilon(0.1));
}

}  // namespace emergence::exact_contexts_test
