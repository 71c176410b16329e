#include "core/measures/construction_errors.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/linear_algebra.h"
#include "tests/claims/trial_differences.h"

using namespace emergence;

TEST_CASE("values by Gram matrices are those of the transformer n by n, for every query, mask and flaw") {
    for (const auto algorithm : {BatchAlgorithm::td, BatchAlgorithm::residual_gradient, BatchAlgorithm::td_lambda,
                                 BatchAlgorithm::average_reward_td})
        for (const Flaw flaw : {Flaw::none, Flaw::mask, Flaw::gamma, Flaw::transposed}) {
            INFO(static_cast<int>(algorithm), ", ", static_cast<int>(flaw));
            const ConstructionOptions options{
                .algorithm = algorithm, .n = 15, .layers = 6, .num_states = 5, .flaw = flaw};
            ConstructionTrial trial = draw_trial(options, 3, 1);
            const auto values = construction_values(options, trial);
            REQUIRE(values.size() == 7);
            for (int s = 0; s < 5; ++s) {
                trial.query = trial.mrp.features.col(s);
                const auto naive = construction_difference(options, trial).transformer;
                for (size_t l = 0; l < 7; ++l)
                    CHECK(std::abs(values[l][s] - naive[l]) <= 1e-11 * (1.0 + std::abs(naive[l])));
            }
        }
}

TEST_CASE("errors begin at predict-zero's, stay above best linear and end at the fixed point's") {
    const ConstructionOptions options{
        .layers = 400, .preconditioner = Preconditioner::whitened, .step = 1.0, .representable = true};
    const LayerErrors errors = construction_errors(options, draw_trial(options, 4, 0));
    CHECK(errors.transformer.front() == errors.zero);
    CHECK(errors.best_linear < 1e-12);  // representable
    CHECK(errors.contraction < 1.0);
    CHECK(errors.transformer.back() == doctest::Approx(errors.fixed_point).epsilon(1e-6));
    CHECK(errors.algorithm.back() == doctest::Approx(errors.fixed_point).epsilon(1e-6));
    for (const double error : errors.transformer) CHECK(error >= errors.best_linear - 1e-12);
}

TEST_CASE("whitened steps of size 1 are fitted value iteration") {
    const ConstructionOptions options{.layers = 2, .preconditioner = Preconditioner::whitened, .step = 1.0};
    const ConstructionTrial trial = draw_trial(options, 2, 0);
    const Transitions& context = trial.context;
    const auto w = batch_iterates(context, td_update(context), trial.C, 2);
    const Vec target = context.reward + context.gamma_phi_next.transpose() * w[1];
    const Vec fitted = least_norm_solution(context.phi.transpose(), target);
    CHECK((w[2] - fitted).norm() < 1e-10);
}

TEST_CASE("the rate of contraction decides whether layers converge") {
    ConstructionOptions options{.layers = 300, .preconditioner = Preconditioner::step_size, .step = 1.0};
    const ConstructionTrial slow = draw_trial(options, 1, 0);
    CHECK(construction_errors(options, slow).contraction < 1.0);
    options.step = 8.0;
    const LayerErrors diverged = construction_errors(options, draw_trial(options, 1, 0));
    CHECK(diverged.contraction > 1.0);
    CHECK(!(diverged.transformer.back() < 1e6));
    options.preconditioner = Preconditioner::random;
    CHECK(std::isnan(construction_errors(options, draw_trial(options, 1, 0)).contraction));
}

TEST_CASE("average reward's errors do not change by a constant, so that predict-zero's is the variance") {
    const ConstructionOptions options{.algorithm = BatchAlgorithm::average_reward_td, .layers = 2};
    const ConstructionTrial trial = draw_trial(options, 6, 0);
    const Vec weight = stationary_distribution(trial.mrp);
    const Vec v = differential_value(trial.mrp, weight);
    CHECK(construction_errors(options, trial).zero == doctest::Approx(weight.dot(v.cwiseProduct(v))));
}

TEST_CASE("a series of errors has settled where it no longer leaves its limit's surroundings") {
    CHECK(settled_layer({10, 5, 1.2, 3, 1.4, 1.1}, 1.0, 0.05) == 4);
    CHECK(settled_layer({10, 5, 1.2, 3, 1.4, 1.1}, 1.0, 0.01) == std::nullopt);
    CHECK(settled_layer({10, 0.5, 0.99}, 1.0, 0.05) == 2);  // from below as well
    CHECK(settled_layer({}, 1.0, 0.05) == std::nullopt);
    CHECK(settled_layer({10, 5, std::nan("")}, 1.0, 0.05) == std::nullopt);
    CHECK(settled_layer({10, 5}, std::nan(""), 0.05) == std::nullopt);
}

TEST_CASE("a trial has one difference a layer, the first of them zero, and is the same every time") {
    const ConstructionOptions options{.n = 20, .layers = 5};
    const LayerDifferences once = construction_difference(options, draw_trial(options, 7, 3));
    REQUIRE(once.absolute.size() == 6);
    REQUIRE(once.relative.size() == 6);
    CHECK(once.absolute[0] == 0.0);
    CHECK(once.relative[0] == 0.0);
    CHECK(construction_difference(options, draw_trial(options, 7, 3)).absolute == once.absolute);
    CHECK(construction_difference(options, draw_trial(options, 7, 4)).absolute != once.absolute);
}

TEST_CASE("all four identities hold in other sizes, with step sizes and with one feature") {
    for (const auto algorithm : {BatchAlgorithm::td, BatchAlgorithm::residual_gradient, BatchAlgorithm::td_lambda,
                                 BatchAlgorithm::average_reward_td})
        for (const int d : {1, 5})
            for (const auto C : {Preconditioner::random, Preconditioner::step_size, Preconditioner::decaying,
                                 Preconditioner::whitened}) {
                INFO(static_cast<int>(algorithm), ", ", d, ", ", static_cast<int>(C));
                const ConstructionOptions options{
                    .algorithm = algorithm, .d = d, .n = 12, .layers = 15, .gamma = 0.7, .preconditioner = C};
                CHECK(largest_difference_in(4, differences_of(options, 3)) < 1e-12);
            }
}

TEST_CASE("the paper's trace and the textbook's are different algorithms") {
    ConstructionOptions paper{.algorithm = BatchAlgorithm::td_lambda, .layers = 3};
    ConstructionOptions textbook = paper;
    textbook.textbook_trace = true;
    CHECK(construction_difference(paper, draw_trial(paper, 1, 0)).absolute !=
          construction_difference(textbook, draw_trial(textbook, 1, 0)).absolute);
    CHECK(largest_difference_in(3, differences_of(textbook, 1)) < 1e-12);
}

TEST_CASE("a flaw shows in every trial") {
    for (const Flaw flaw : {Flaw::gamma, Flaw::mask, Flaw::transposed})
        CHECK(least_difference_in(5, differences_of(ConstructionOptions{.n = 30, .layers = 10, .flaw = flaw}, 1)) >
              1e-9);
}
