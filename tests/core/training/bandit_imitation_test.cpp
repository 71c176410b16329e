#include "core/training/bandit_imitation.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

using namespace emergence;

namespace {

BanditImitationOptions small_imitation() {
    BanditImitationOptions options;
    options.family.rounds = options.shape.rounds = 30;
    options.family.d = options.shape.d = 3;
    options.family.arms = options.shape.arms = 4;
    options.family.stationary = 1.0;
    options.family.noise = 0.3;
    options.shape.width = 16;
    options.shape.hidden = 16;
    options.steps = 400;
    options.warm_up = 10;
    options.played_by_others = 20;
    return options;
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("the learning rate rises, then falls to its last share") {
    BanditImitationOptions options;
    CHECK(learning_rate_at(options, 0) == doctest::Approx(2e-5));
    CHECK(learning_rate_at(options, 99) == doctest::Approx(2e-3));
    CHECK(learning_rate_at(options, 100) == doctest::Approx(2e-3));
    CHECK(learning_rate_at(options, 17550) == doctest::Approx(2e-3 * (0.03 + 0.97 / 2)));
    CHECK(learning_rate_at(options, 35000) == doctest::Approx(6e-5));
}

TEST_CASE("imitation learns: lower cross-entropy than log A, lower regret than chance" *
          doctest::test_suite("release")) {
    BanditImitationOptions options = small_imitation();
    options.steps = 1500;
    BanditImitation training(options, 1);
    CHECK(std::isnan(training.take_mean_loss()));
    training.train_one_step();
    const double first = training.take_mean_loss();
    CHECK(first == doctest::Approx(std::log(4.0)).epsilon(0.1));
    for (int i = 1; i < 1400; ++i) training.train_one_step();
    training.take_mean_loss();
    for (int i = 1400; i < 1500; ++i) training.train_one_step();
    CHECK(training.take_mean_loss() < 0.9 * first);
    const BanditBank bank(options.family, derive_seed(1, Purpose::held_out), 64);
    TransformerPolicy policy(options.shape, training.weights(), 0.5);
    const auto uniform = make_policy(BanditAlgorithm::uniform, {});
    CHECK(mean(bank.regrets(policy, 0)) < 0.8 * mean(bank.regrets(*uniform, 0)));
}

TEST_CASE("a finite data set comes back whole in every epoch, in another order") {
    // Without a learning rate the loss of an epoch is a property of its trajectories.
    BanditImitationOptions options = small_imitation();
    options.adam.learning_rate = 0;
    options.batch = 2;
    options.trajectories = 6;
    BanditImitation finite(options, 1);
    std::vector<double> batches;
    for (int step = 0; step < 6; ++step) {
        finite.train_one_step();
        batches.push_back(finite.take_mean_loss());
    }
    const auto epoch = [&](size_t first) { return batches[first] + batches[first + 1] + batches[first + 2]; };
    CHECK(epoch(0) == doctest::Approx(epoch(3)).epsilon(1e-6));
    CHECK(batches[0] != batches[3]);
    // A data set that is not used up is the fresh one, also where others have played.
    options.trajectories = 0;
    options.played_by_others = 100;
    BanditImitation fresh(options, 1);
    for (int step = 0; step < 3; ++step) fresh.train_one_step();
    CHECK(3 * fresh.take_mean_loss() == doctest::Approx(epoch(0)).epsilon(1e-6));
}

TEST_CASE("a finite data set is resumed within an epoch to the bit") {
    BanditImitationOptions options = small_imitation();
    options.trajectories = 20;
    BanditImitation whole(options, 1), begun(options, 1), resumed(options, 1);
    for (int step = 0; step < 12; ++step) whole.train_one_step();
    for (int step = 0; step < 7; ++step) begun.train_one_step();
    resumed.load(begun.save());
    for (int step = 7; step < 12; ++step) resumed.train_one_step();
    CHECK(resumed.weights() == whole.weights());
}

TEST_CASE("a loss that is not finite ends a training with the weights before it") {
    BanditImitationOptions options = small_imitation();
    options.adam.learning_rate = 1e30;
    options.warm_up = 1;
    BanditImitation training(options, 1);
    for (int i = 0; i < 50; ++i) training.train_one_step();
    CHECK(training.diverged());
    for (const float w : training.weights()) CHECK(std::isfinite(w));
}
