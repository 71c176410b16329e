#pragma once
// One prompt through the softmax transformer (the softmax paper), layer by layer: the memories, their TD errors, the
// written values and the kernels.

#include <vector>

#include "core/measures/softmax_td_bank.h"

namespace emergence {

/// The trace. Columns are S_0 .. S_{n-1}, then the query S_n.
struct SoftmaxTdTrace {
    // S_0 .. S_n
    std::vector<int> states;
    // (L+1) x (n+1): the current-value memory before each layer and after the last.
    Eigen::MatrixXd values;
    // L x n: R + target memory - current memory, Eq. (11).
    Eigen::MatrixXd td_errors;
    // L x n: the value <P[D, :], z> that P writes from each source.
    Eigen::MatrixXd written;
    // L kernels, n x (n+1) each, sources by rows.
    std::vector<Eigen::MatrixXd> kernels;
};
/// The trace of one prompt through L = layers layers.
SoftmaxTdTrace softmax_td_trace(const SoftmaxTdBank::Prompt& prompt, const SoftmaxTdView& network, int layers,
                                double gamma);

/// The columns of a prompt, without the query, sorted by state and then by time.
std::vector<int> columns_by_state(const std::vector<int>& states);

}  // namespace emergence
