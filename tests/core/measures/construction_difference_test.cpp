#include "core/measures/construction_difference.h"

#include <doctest/doctest.h>

using namespace emergence;

TEST_CASE("a trial has one difference a layer, the first of them zero, and is the same every time") {
    const ConstructionOptions options{.n = 20, .layers = 5};
    const LayerDifferences once = construction_difference(options, 7, 3);
    REQUIRE(once.absolute.size() == 6);
    REQUIRE(once.relative.size() == 6);
    CHECK(once.absolute[0] == 0.0);
    CHECK(once.relative[0] == 0.0);
    CHECK(construction_difference(options, 7, 3).absolute == once.absolute);
    CHECK(construction_difference(options, 7, 4).absolute != once.absolute);
}

TEST_CASE("all four identities hold in other sizes, with step sizes and with one feature") {
    for (const auto algorithm : {BatchAlgorithm::td, BatchAlgorithm::residual_gradient,
                                 BatchAlgorithm::td_lambda, BatchAlgorithm::average_reward_td})
        for (const int d : {1, 5})
            for (const auto C : {Preconditioner::random, Preconditioner::step_size, Preconditioner::decaying,
                                 Preconditioner::whitened}) {
                CAPTURE(static_cast<int>(algorithm));
                CAPTURE(d);
                CAPTURE(static_cast<int>(C));
                CHECK(largest_difference({.algorithm = algorithm,
                                          .d = d,
                                          .n = 12,
                                          .layers = 15,
                                          .gamma = 0.7,
                                          .preconditioner = C},
                                         3, 4) < 1e-12);
            }
}

TEST_CASE("the paper's trace and the textbook's are different algorithms") {
    ConstructionOptions paper{.algorithm = BatchAlgorithm::td_lambda, .layers = 3};
    ConstructionOptions textbook = paper;
    textbook.textbook_trace = true;
    CHECK(construction_difference(paper, 1, 0).absolute != construction_difference(textbook, 1, 0).absolute);
    CHECK(largest_difference(textbook, 1, 3) < 1e-12);
}

TEST_CASE("a flaw shows in every trial") {
    for (const Flaw flaw : {Flaw::gamma, Flaw::mask, Flaw::transposed})
        CHECK(least_difference({.n = 30, .layers = 10, .flaw = flaw}, 1, 5) > 1e-9);
}
