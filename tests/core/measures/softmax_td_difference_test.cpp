// Dual heads, temporal shift and the recursion are one algorithm, for four kernels; flaws show.
#include "core/measures/softmax_td_measures.h"

#include <doctest/doctest.h>

#include "tests/claims/trial_differences.h"

using namespace emergence;

TEST_CASE("both forms of the layer are weighted softmax TD over 40 layers, for four kernels") {
    for (const ScoreKernel kernel : {ScoreKernel::softmax, ScoreKernel::relu, ScoreKernel::elu, ScoreKernel::rbf}) {
        CAPTURE(static_cast<int>(kernel));
        CHECK(largest_difference_in(5, differences_of(SoftmaxDifferenceOptions{.kernel = kernel}, 3)) < 1e-12);
        SoftmaxDifferenceOptions wrong{.kernel = kernel};
        for (const SoftmaxFlaw flaw : {SoftmaxFlaw::gamma, SoftmaxFlaw::mask, SoftmaxFlaw::shift}) {
            wrong.flaw = flaw;
            CAPTURE(static_cast<int>(flaw));
            CHECK(least_difference_in(5, differences_of(wrong, 3)) > 1e-9);
        }
    }
}

TEST_CASE("a trial starts at zero and has a difference a layer") {
    const SoftmaxDifferences found = softmax_td_difference({.layers = 7}, 1, 0);
    REQUIRE(found.to_algorithm.size() == 8);
    REQUIRE(found.between_forms.size() == 8);
    CHECK(found.to_algorithm[0] == 0.0);
}
