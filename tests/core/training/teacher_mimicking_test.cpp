#include "core/training/teacher_mimicking.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/measures/improvement_manifold.h"

using namespace emergence;

namespace {

TeacherMimickingOptions small_mimicking(Improvement algorithm) {
    TeacherMimickingOptions options;
    options.shape.sizes = {algorithm, 4, 3, 5, algorithm == Improvement::sarsa ? 0 : 6};
    options.shape.n = 10;
    options.frames = 50;
    options.rate_decay = 0.9;
    return options;
}

}  // namespace

TEST_CASE("teacher mimicking: the loss falls and the weights come near the manifold") {
    for (const Improvement algorithm : {Improvement::sarsa, Improvement::actor_critic}) {
        TeacherMimickingOptions options = small_mimicking(algorithm);
        options.rate_decay = 0.99;
        TeacherMimicking training(options, 3);
        for (int i = 0; i < 100; ++i) training.update();
        const double first = training.take_mean_losses().loss;
        for (int i = 0; i < 60000; ++i) training.update();
        training.take_mean_losses();
        for (int i = 0; i < 100; ++i) training.update();
        const auto last = training.take_mean_losses();
        CHECK(last.loss < 1e-2 * first);
        CHECK(last.loss < 1e-2 * last.zero);
        const ManifoldFit fit = fit_manifold(blocks_of(options.shape, training.weights().data()),
                                             constructed_blocks(options.shape, 0.2, 0.8));
        CHECK(fit.relative < 0.05);
        CHECK_FALSE(training.diverged());
    }
}

TEST_CASE("teacher mimicking: the learning rate decays by MDPs, and its sum is kept") {
    TeacherMimickingOptions options = small_mimicking(Improvement::sarsa);
    options.decay_every = 2;
    TeacherMimicking training(options, 0);
    double sum = 0;
    for (int i = 0; i < 250; ++i) {
        const double rate = 1e-3 * std::pow(0.9, i / 100);
        CHECK(training.learning_rate() == doctest::Approx(rate).epsilon(1e-12));
        sum += rate;
        training.update();
    }
    CHECK(training.rate_sum() == doctest::Approx(sum));
}

TEST_CASE("teacher mimicking: what is seen does not depend on what is learned") {
    TeacherMimickingOptions options = small_mimicking(Improvement::actor_critic);
    TeacherMimicking slow(options, 2);
    options.adam.learning_rate = 1e-2;
    TeacherMimicking fast(options, 2);
    for (int i = 0; i < 120; ++i) {
        slow.update();
        fast.update();
    }
    CHECK(slow.weights() != fast.weights());
    CHECK(slow.save().at("teacher") == fast.save().at("teacher"));
}

TEST_CASE("teacher mimicking: a loss that is not finite stops it, the weights before it are kept") {
    TeacherMimickingOptions options = small_mimicking(Improvement::sarsa);
    options.agent.alpha = 1e4;  // the teacher itself diverges
    options.frames = 1000;
    TeacherMimicking training(options, 2);
    for (int i = 0; i < 1000; ++i) training.update();
    CHECK(training.diverged());
    CHECK(training.updates() < 1000);
    for (const float w : training.weights()) CHECK(std::isfinite(w));
}
