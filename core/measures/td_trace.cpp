#include "core/measures/td_trace.h"

#include "core/algorithms/context_algorithms.h"
#include "core/base/error.h"
#include "core/base/linear_algebra.h"
#include "core/measures/network_evaluator.h"
#include "core/models/attention_naive.h"
#include "core/models/constructions.h"
#include "core/models/network_windows.h"

namespace emergence {

namespace {

using Attention = NaiveAttention<double>;

size_t stored_layer(const TracedNetwork& network, int layer) {
    return network.P.size() == 1 ? 0 : static_cast<size_t>(layer);
}

// Row l: minus the first d entries of the last row of T_{l-1} .. T_0,  T_l = I + (1/n) P G_l Q.
Eigen::MatrixXd weights_from_grams(const TdTrace& trace, const TracedNetwork& network, Eigen::Index d, double n) {
    const auto rows = trace.gram.front().rows();
    Eigen::MatrixXd product = Eigen::MatrixXd::Identity(rows, rows), weights(network.layers + 1, d);
    for (int l = 0; l <= network.layers; ++l) {
        weights.row(l) = -product.row(rows - 1).head(d);
        if (l == network.layers) break;
        const size_t stored = stored_layer(network, l);
        product += network.P[stored] * trace.gram[l] * network.Q[stored] * product / n;
    }
    return weights;
}

// Row l: the regression of all states' values after l layers on their features.
Eigen::MatrixXd weights_by_regression(const Transitions& context, const TracedNetwork& network,
                                      const TracedStates& states) {
    const auto d = states.features.rows(), m = states.features.cols(), n = context.phi.cols();
    Eigen::MatrixXd values(network.layers + 1, m);
    for (Eigen::Index s = 0; s < m; ++s) {
        Attention attention(network.P, network.Q, network.layers, network.activation);
        attention.forward(td_prompt(context, states.features.col(s)));
        for (int l = 0; l < network.layers; ++l) values(l, s) = -attention.input(l)(2 * d, n);
        values(network.layers, s) = attention.value();
    }
    Eigen::MatrixXd weights(network.layers + 1, d);
    for (Eigen::Index l = 0; l < values.rows(); ++l)
        weights.row(l) = implicit_weight(states.features, values.row(l).transpose(), states.stationary).transpose();
    return weights;
}

// Row l, column j: R_{j+1} + gamma w_l' phi_{j+1} - w_l' phi_j. weights: w_l by rows.
Eigen::MatrixXd td_errors(const Transitions& context, const Eigen::MatrixXd& weights) {
    Eigen::MatrixXd errors = weights * (context.gamma_phi_next - context.phi);
    errors.rowwise() += context.reward.transpose();
    return errors;
}

}  // namespace

TdTrace td_trace(const Transitions& context, const Eigen::VectorXd& query, const TracedNetwork& network,
                 const Eigen::MatrixXd& C, const TracedStates& states) {
    const auto d = context.phi.rows(), n = context.phi.cols();
    const bool shared = network.P.size() == 1;
    check(network.layers >= 1 && network.P.size() == network.Q.size() &&
              (shared || network.P.size() == static_cast<size_t>(network.layers)),
          "one P and Q, or one a layer");
    TdTrace trace;
    // Shared weights allow one more layer, which shows its attention.
    const int run = shared ? network.layers + 1 : network.layers;
    Attention attention(network.P, network.Q, run, network.activation);
    const Eigen::MatrixXd mask = td_lambda_mask(static_cast<int>(n), network.mask_lambda);
    if (network.mask_lambda != 0) attention.set_mask(mask);
    const Eigen::MatrixXd last = attention.forward(td_prompt(context, query));
    for (int l = 0; l < run; ++l) {
        trace.Z.push_back(attention.input(l));
        trace.attention.push_back(attention.attention(l));
    }
    if (!shared) trace.Z.push_back(last);
    trace.value.resize(network.layers + 1);
    for (int l = 0; l <= network.layers; ++l) {
        const Eigen::MatrixXd& Z = trace.Z[l];
        trace.gram.push_back(network.mask_lambda != 0 ? Eigen::MatrixXd(Z * mask * Z.transpose())
                                                      : Eigen::MatrixXd(Z.leftCols(n) * Z.leftCols(n).transpose()));
        trace.value[l] = -Z(2 * d, n);
    }
    trace.network = network.activation == Activation::identity
                        ? weights_from_grams(trace, network, d, static_cast<double>(n))
                        : weights_by_regression(context, network, states);
    trace.batch_td.resize(network.layers + 1, d);
    const std::vector<Eigen::VectorXd> iterates = batch_td(context, {C}, network.layers);
    for (int l = 0; l <= network.layers; ++l) trace.batch_td.row(l) = iterates[l].transpose();
    trace.batch_td_value = trace.batch_td * query;
    trace.network_errors = td_errors(context, trace.network);
    trace.batch_td_errors = td_errors(context, trace.batch_td);
    return trace;
}

}  // namespace emergence
