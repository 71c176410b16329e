// The microscope's numbers: with the constructed weights they are weighted softmax TD's.
#include "core/measures/softmax_td_trace.h"

#include <doctest/doctest.h>

#include "core/models/softmax_td_layer.h"

using namespace emergence;

TEST_CASE("the construction writes its TD errors, and values move by the kernel's mean of them") {
    SoftmaxTdBankOptions options;
    options.tasks.num_states = 5;
    options.tasks.d = 3;
    options.tasks.gamma = 0.8;
    options.context_length = 9;
    options.size = 2;
    const SoftmaxTdBank bank(options);
    const SoftmaxTdWeights constructed = softmax_td_construction(3, 1.0, 2.0);
    std::vector<float> weights;
    for (const Eigen::MatrixXd* matrix : {&constructed.P, &constructed.Q})
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j) weights.push_back(static_cast<float>((*matrix)(i, j)));
    const SoftmaxTdBank::Prompt prompt = bank.prompt(3);  // of two chains: the second
    CHECK(prompt.states == bank.prompt(1).states);
    const SoftmaxTdTrace trace = softmax_td_trace(prompt, {weights}, 4, 0.8);
    CHECK((trace.td_errors - trace.written).norm() < 1e-12);
    CHECK(trace.values.row(0).norm() == 0.0);
    for (int l = 0; l < 4; ++l) {
        const Eigen::RowVectorXd moved = trace.td_errors.row(l) * trace.kernels[static_cast<size_t>(l)];
        CHECK((trace.values.row(l + 1) - trace.values.row(l) - moved).norm() < 1e-12);
    }
}

TEST_CASE("columns are ordered by state, then by time") {
    CHECK(columns_by_state({2, 0, 2, 1, 0, 7}) == std::vector<int>{1, 4, 3, 0, 2});
}
