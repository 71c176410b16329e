#include "core/measures/similarity.h"

#include <doctest/doctest.h>

namespace emergence::decoys_test {
namespace {

HeldOutBank boyan_bank(int size) {
    return HeldOutBank({.tasks = {.num_states = 10, .d = 4, .gamma = 0.9}, .size = size, .context_lengths = {30}});
}

}  // namespace

TEST_CASE("one step of TD from zero does not bootstrap: both decoys are it") {
    const DecoySimilarities same = Decoys(boyan_bank(40), 0, 512).similarities(1, 1.3F);
    CHECK(same.no_bootstrap == doctest::Approx(1.0).epsilon(1e-6));
    CHECK(same.reward_correlation == doctest::Approx(1.0).epsilon(1e-6));
}

TEST_CASE("what does not bootstrap is similar to TD all the same") {
    // Measured with the published code: 0.95 and 0.92 against TD of three layers at its trained step size.
    const DecoySimilarities decoys = Decoys(boyan_bank(1000), 0, 1000).similarities(3, 1.47F);
    CHECK(decoys.no_bootstrap == doctest::Approx(0.95).epsilon(0.02));
    CHECK(decoys.reward_correlation == doctest::Approx(0.92).epsilon(0.02));
}

TEST_CASE("the decoy is TD on contexts whose next features are zero") {
    const HeldOutBank bank = boyan_bank(16);
    const GramBank contexts = bank.contexts(0);
    const auto entry = [&](int i, int row, int column) {
        return static_cast<double>(contexts.grams[(row * 9 + column) * 16 + i]) / 30;
    };
    const auto td = bank.batch_td_vectors(0, 2, 0.8F);
    double sum = 0;
    for (int i = 0; i < 16; ++i) {
        Eigen::MatrixXd A(4, 4);
        Eigen::VectorXd r(4);
        for (int a = 0; a < 4; ++a) {
            r[a] = entry(i, a, 8);
            for (int b = 0; b < 4; ++b) A(a, b) = entry(i, a, b);
        }
        const Eigen::VectorXd first = 0.8 * r, second = first + 0.8 * (r - A * first);
        sum += cosine_similarity(second, td[static_cast<size_t>(i)]) / 16;
    }
    CHECK(Decoys(bank, 0, 16).similarities(2, 0.8F).no_bootstrap == doctest::Approx(sum).epsilon(1e-6));
}

}  // namespace emergence::decoys_test
