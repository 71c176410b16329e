// The held-out bank of the softmax transformer: errors and kernels against what is written out in full.
#include "core/measures/softmax_td_measures.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/models/softmax_td_layer.h"

using namespace emergence;

namespace {

SoftmaxTdBankOptions small_bank(int size) {
    SoftmaxTdBankOptions options;
    options.tasks.num_states = 5;
    options.tasks.d = 3;
    options.tasks.gamma = 0.8;
    options.tasks.representable = true;
    options.context_length = 12;
    options.size = size;
    return options;
}

std::vector<float> flat(const SoftmaxTdWeights& weights) {
    std::vector<float> values;
    for (const Mat* matrix : {&weights.P, &weights.Q})
        for (Index i = 0; i < matrix->rows(); ++i)
            for (Index j = 0; j < matrix->cols(); ++j) values.push_back(static_cast<float>((*matrix)(i, j)));
    return values;
}

}  // namespace

TEST_CASE("kappa of one chain is the mean of the kernel's diagonal, mixed or not") {
    const SoftmaxTdBankOptions options = small_bank(1);
    const SoftmaxTdBank bank(options);
    // The same chain and trajectory, written out.
    Mrp mrp;
    draw_mrp(options.tasks, options.seed, 0, mrp);
    StateSampler sampler;
    sampler.reset(mrp);
    Stream stream(options.seed, Purpose::trajectory, 0);
    Mat features(3, 13);
    Vec rewards(12);
    int state = sampler.first(stream.uniform());
    for (int k = 0; k <= 12; ++k) {
        features.col(k) = mrp.features.col(state);
        if (k < 12) rewards[k] = mrp.reward[state];
        state = sampler.next(state, stream.uniform());
    }
    const SoftmaxTdWeights weights = softmax_td_construction(3, 1.0, 4.0);
    const std::vector<float> values = flat(weights);
    for (const double mixing : {0.0, 0.3}) {
        const Mat A =
            attention_kernel(softmax_td_prompt(features, rewards), weights.Q, {.temperature = 0.5, .mixing = mixing});
        const KernelDiagonality found = bank.diagonality({values, 0.5, mixing});
        CHECK(found.kappa == doctest::Approx(A.diagonal().head(12).mean()).epsilon(1e-5));
        if (mixing == 0.0) CHECK(found.kappa <= found.ceiling + 1e-9);
    }
}

TEST_CASE("a sharper kernel is more diagonal, below its ceiling, and a flat one is even") {
    const SoftmaxTdBank bank(small_bank(8));
    const auto sharp = flat(softmax_td_construction(3, 1.0, 8.0));
    const auto vague = flat(softmax_td_construction(3, 1.0, 0.0));
    const KernelDiagonality high = bank.diagonality({sharp}), low = bank.diagonality({vague});
    CHECK(high.kappa_state > 2 * low.kappa_state);
    CHECK(high.kappa < high.ceiling);
    CHECK(low.kappa == doctest::Approx(1.0 / 12));
    CHECK(low.margin < 0);
    CHECK(low.holds == 0.0);
    CHECK(high.margin > low.margin);
}

TEST_CASE("a network that writes nothing predicts zero; the construction and batch TD do better") {
    const SoftmaxTdBank bank(small_bank(32));
    const auto nothing = flat({Mat::Zero(6, 6), Mat::Zero(6, 6)});
    const auto constructed = flat(softmax_td_construction(3, 1.0, 8.0));
    CHECK(bank.msve({nothing}, 3) == doctest::Approx(bank.msve_of_zero()));
    CHECK(bank.msve_of_batch_td(3, 0.0) == doctest::Approx(bank.msve_of_zero()));
    CHECK(bank.msve({constructed}, 3) < bank.msve_of_zero());
    CHECK(bank.msve_of_batch_td(3, 1.0) < bank.msve_of_zero());
}

TEST_CASE("the construction writes its TD errors, and values move by the kernel's mean of them") {
    const SoftmaxTdBank bank(small_bank(2));
    const std::vector<float> weights = flat(softmax_td_construction(3, 1.0, 2.0));
    const SoftmaxTdBank::Prompt prompt = bank.prompt(3);  // of two chains: the second
    CHECK(prompt.states == bank.prompt(1).states);
    const SoftmaxTdTrace trace = softmax_td_trace(prompt, {weights}, 4, 0.8);
    CHECK((trace.td_errors - trace.written).norm() < 1e-12);
    CHECK(trace.values.row(0).norm() == 0.0);
    for (int l = 0; l < 4; ++l) {
        const Mat moved = trace.td_errors.row(l) * trace.kernels[static_cast<size_t>(l)];
        CHECK((trace.values.row(l + 1) - trace.values.row(l) - moved).norm() < 1e-12);
    }
}

TEST_CASE("columns are ordered by state, then by time") {
    CHECK(columns_by_state({2, 0, 2, 1, 0, 7}) == std::vector<int>{1, 4, 3, 0, 2});
}
