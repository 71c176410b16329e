#pragma once
// One prompt through the softmax transformer, layer by layer: what its memories hold, how they err, what is
// written and through which kernel (the softmax paper).

#include <vector>

#include "core/measures/softmax_td_bank.h"

namespace emergence {

/// A kernel has sources by rows; columns are S_0 .. S_{n-1}, then the query S_n.
struct SoftmaxTdTrace {
    std::vector<int> states;    // S_0 .. S_n
    Eigen::MatrixXd values;     // (L+1) x (n+1): the current memory before each layer and at the end
    Eigen::MatrixXd td_errors;  // L x n: R + target memory - current memory, Eq. (11)
    Eigen::MatrixXd written;    // L x n: what P makes of each source, <P[D, :], z>
    std::vector<Eigen::MatrixXd> kernels;  // L of n x (n+1)
};
SoftmaxTdTrace softmax_td_trace(const SoftmaxTdBank::Prompt& prompt, const SoftmaxTdView& network, int layers,
                                double gamma);

/// The columns of a prompt without its query in the order of their states, equal ones in the order of time.
std::vector<int> columns_by_state(const std::vector<int>& states);

}  // namespace emergence
