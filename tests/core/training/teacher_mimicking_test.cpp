#include "core/training/teacher_mimicking.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/linear_algebra.h"
#include "core/measures/improvement_measures.h"
#include "core/models/improvement_block.h"
#include "tests/claims/naive/improvement_naive.h"
#include "tests/support/differences.h"

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

namespace {

const ImprovementShape kSmallSarsa{{Improvement::sarsa, 4, 2, 3, 0}, 6};
const ImprovementShape kSmallActorCritic{{Improvement::actor_critic, 4, 2, 2, 3}, 6};

Vec random_vector(Index size, uint32_t index) {
    Stream stream(5, Purpose::testing, index);
    Vec x(size);
    for (double& entry : x) entry = 0.5 * stream.normal();
    return x;
}

}  // namespace

TEST_CASE("improvement population: loss and gradient are the means of the block's") {
    for (const ImprovementShape& shape : {kSmallSarsa, kSmallActorCritic}) {
        const int windows = 7;
        const ImprovementPopulation population(shape, {}, windows, 3);
        const Vec flat = random_vector(shape.context() * (shape.query() + shape.outputs()), 1);
        const auto weights = weights_of<double>(shape, shaped_blocks(shape, flat));
        const auto block = make_improvement_block<double>(shape);
        double loss = 0;
        std::vector<double> own, sum(weights.size(), 0.0);
        for (uint32_t i = 0; i < windows; ++i) {
            const ImprovementTask task = random_improvement_task(shape.sizes, 3, i);
            auto prompt = first_prompt<double>(shape, task, Stream(3, Purpose::trajectory, i));
            loss += block_gradient(*block, weights, prompt.view(), own) / windows;
            for (size_t k = 0; k < sum.size(); ++k) sum[k] += own[k] / windows;
        }
        Vec gradient;
        CHECK(population.loss(flat, gradient) == doctest::Approx(loss).epsilon(1e-12));
        const Vec wanted = flat_blocks(blocks_of(shape, sum.data()));
        CHECK((gradient - wanted).norm() < 1e-12 * wanted.norm());
    }
}

TEST_CASE("improvement population: the gradient is that of finite differences") {
    const ImprovementPopulation population(kSmallSarsa, {}, 20, 3);
    Vec flat = random_vector(7 * 4 + 3 * 7, 2), gradient, ignored;
    population.loss(flat, gradient);
    const auto slopes = testing::slopes_by(flat, [&] { return population.loss(flat, ignored); });
    for (Index i = 0; i < flat.size(); ++i)
        CHECK(std::abs(slopes[static_cast<size_t>(i)] - gradient(i)) < 1e-6 * gradient.norm());
}

TEST_CASE("improvement population: the manifold has no loss, and curvature as finite differences find") {
    for (const ImprovementShape& shape : {kSmallSarsa, kSmallActorCritic}) {
        const ImprovementPopulation population(shape, {}, 60, 3);
        for (const double c : {0.4, -1.5}) {
            const Vec point = flat_blocks(rescaled(population.target(), c));
            Vec gradient, above, below;
            CHECK(population.loss(point, gradient) < 1e-28);
            CHECK(gradient.norm() < 1e-13);
            const Index size = point.size();
            Mat hessian(size, size);
            for (Index i = 0; i < size; ++i) {
                const Vec step = 1e-5 * Mat::Identity(size, size).col(i);
                population.loss(point + step, above);
                population.loss(point - step, below);
                hessian.col(i) = (above - below) / 2e-5;
            }
            const Vec wanted = symmetric_eigenvalues((hessian + hessian.transpose()) / 2);
            const Vec found = population.curvatures(c);
            CHECK((found - wanted).cwiseAbs().maxCoeff() < 1e-7 * found.maxCoeff());
            CHECK(std::abs(found(0)) < 1e-12);
            CHECK(found(1) > 1e-7);  // the manifold is a line: nothing else is flat
        }
    }
}
