// Training the softmax transformer: masks, clamps, the flip, the best checkpoint, and going on from a state.
#include "core/training/softmax_td_training.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace emergence;

namespace {

SoftmaxTdTrainingOptions small_softmax_training() {
    SoftmaxTdTrainingOptions options;
    options.tasks.num_states = 5;
    options.tasks.d = 3;
    options.context_length = 12;
    options.minibatch_size = 20;
    return options;
}

void train_for(SoftmaxTdTraining& training, int updates) {
    for (int k = 0; k < updates; ++k) training.update();
}

float entry(const std::vector<float>& weights, int matrix, int i, int j) {
    return weights[static_cast<size_t>((matrix * 6 + i) * 6 + j)];
}

}  // namespace

TEST_CASE("masked entries are and stay zero; relaxed, the scalars' block is free") {
    SoftmaxTdTrainingOptions options = small_softmax_training();
    for (const bool mask : {true, false}) {
        options.mask_scores = mask;
        SoftmaxTdTraining training(options, 3);
        train_for(training, 20);
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 6; ++j) CHECK(entry(training.weights(), 0, i, j) == 0.0F);
        CHECK(entry(training.weights(), 0, 5, 3) != entry(training.initial_weights(), 0, 5, 3));
        CHECK((entry(training.weights(), 1, 4, 5) == 0.0F) == mask);
    }
}

TEST_CASE("a clamped matrix stays what it is and the other moves") {
    SoftmaxTdTrainingOptions options = small_softmax_training();
    options.clamp = Clamp::Q;
    options.clamp_sharpness = 3.0;
    SoftmaxTdTraining held(options, 3);
    train_for(held, 10);
    CHECK(entry(held.weights(), 1, 1, 1) == 3.0F);
    CHECK(entry(held.weights(), 1, 0, 1) == 0.0F);
    CHECK(entry(held.weights(), 0, 5, 3) != entry(held.initial_weights(), 0, 5, 3));
    options.clamp = Clamp::P;
    SoftmaxTdTraining learns(options, 3);
    train_for(learns, 10);
    CHECK(entry(learns.weights(), 0, 5, 3) == 1.0F);
    CHECK(entry(learns.weights(), 0, 5, 5) == -1.0F);
    CHECK(entry(learns.weights(), 1, 1, 1) != entry(learns.initial_weights(), 1, 1, 1));
}

TEST_CASE("the flip changes the signs of a seed in the mirrored basin, and of no other") {
    SoftmaxTdTrainingOptions options = small_softmax_training();
    int flips = 0, others = 0;
    for (uint64_t seed = 0; seed < 8; ++seed) {
        options.flip_at = 0;
        SoftmaxTdTraining raw(options, seed);
        options.flip_at = 5;
        SoftmaxTdTraining flipping(options, seed);
        train_for(raw, 5);
        train_for(flipping, 5);
        const float sign = raw.emergence().q_mean < 0 ? -1.0F : 1.0F;
        CHECK(flipping.flipped() == (sign < 0));
        (sign < 0 ? flips : others)++;
        for (size_t i = 0; i < raw.weights().size(); ++i) CHECK(flipping.weights()[i] == sign * raw.weights()[i]);
    }
    CHECK(flips > 0);
    CHECK(others > 0);
}

TEST_CASE("mixing follows its schedule") {
    SoftmaxTdTrainingOptions options = small_softmax_training();
    options.mixing = 0.5;
    options.final_mixing = 0.1;
    options.mixing_updates = 4;
    SoftmaxTdTraining training(options, 0);
    CHECK(training.mixing() == doctest::Approx(0.5));
    train_for(training, 3);
    CHECK(training.mixing() == doctest::Approx(0.2));
    train_for(training, 3);
    CHECK(training.mixing() == doctest::Approx(0.1));
}

TEST_CASE("the best checkpoint is the best of those considered") {
    SoftmaxTdTraining training(small_softmax_training(), 1);
    double best = training.best().score;
    for (int k = 0; k <= 200; ++k) {
        if (k % 7 == 0) {
            const SoftmaxEmergence e = training.emergence();
            best = std::max(best, e.v_emergence * e.a_emergence);
            training.consider_checkpoint();
        }
        CHECK(training.best().score == best);
        training.update();
    }
    const SoftmaxEmergence kept = softmax_emergence(training.best().weights.data(), 3);
    CHECK(kept.v_emergence * kept.a_emergence == training.best().score);
    CHECK(training.best().update % 7 == 0);
}

TEST_CASE("a training that leaves the finite numbers stops with its last finite state") {
    SoftmaxTdTrainingOptions options = small_softmax_training();
    options.adam.learning_rate = 50.0;
    options.num_layers = 8;
    SoftmaxTdTraining training(options, 0);
    train_for(training, 200);
    REQUIRE(training.diverged());
    for (const float w : training.weights()) CHECK(std::isfinite(w));
    const int64_t updates = training.updates();
    training.update();
    CHECK(training.updates() == updates);
}
