#include "core/measures/softmax_td_trace.h"

#include <algorithm>
#include <numeric>

#include "core/models/softmax_td_naive.h"

namespace emergence {

SoftmaxTdTrace softmax_td_trace(const SoftmaxTdBank::Prompt& prompt, const SoftmaxTdView& network, int layers,
                                double gamma) {
    using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto D = prompt.Z.rows(), n = prompt.Z.cols() - 1;
    const Eigen::MatrixXd P = Eigen::Map<const RowMajor>(network.weights.data(), D, D).cast<double>();
    const Eigen::MatrixXd Q = Eigen::Map<const RowMajor>(network.weights.data() + D * D, D, D).cast<double>();
    NaiveSoftmaxTd<double> net({layers, gamma, network.temperature, network.mixing});
    net.set_weights(P, Q);
    const Eigen::MatrixXd last = net.forward(prompt.Z);
    SoftmaxTdTrace trace{prompt.states,
                         Eigen::MatrixXd(layers + 1, n + 1),
                         Eigen::MatrixXd(layers, n),
                         Eigen::MatrixXd(layers, n),
                         {}};
    for (int l = 0; l < layers; ++l) {
        const Eigen::MatrixXd& Z = net.before(l);
        trace.values.row(l) = Z.row(D - 1);
        trace.td_errors.row(l) = (Z.row(D - 3) + Z.row(D - 2) - Z.row(D - 1)).head(n);
        trace.written.row(l) = (P.row(D - 1) * Z).head(n);
        trace.kernels.push_back(net.kernel(l));
    }
    trace.values.row(layers) = last.row(D - 1);
    return trace;
}

std::vector<int> columns_by_state(const std::vector<int>& states) {
    std::vector<int> order(states.size() - 1);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&states](int a, int b) { return states[a] < states[b]; });
    return order;
}

}  // namespace emergence
