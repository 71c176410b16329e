#pragma once
// The inside of in-context TD, for display: one prompt layer by layer.

#include <vector>

#include "core/base/linear_algebra.h"
#include "core/models/network_windows.h"
#include "core/tasks/task.h"

namespace emergence {

// One prompt of in-context TD through the transformer, layer by layer, beside batch TD's iterates: Z_l, the attention,
// the Gram matrix, the implicit weight w_l, the value, and the TD errors of the context.

/// The network: one P and Q for all layers, or one per layer; D x D with D = 2d+1.
struct TracedNetwork {
    std::vector<Eigen::MatrixXd> P, Q;
    int layers = 1;
    Activation activation = Activation::identity;
    // lambda of the mask of traces, Eq. (14); 0 gives the mask of Eq. (2).
    double mask_lambda = 0;
};

/// The states of the task, for the regression of values on features.
struct TracedStates {
    Eigen::MatrixXd features;    // d x m
    Eigen::VectorXd stationary;  // m
};

struct TdTrace {
    // L+1 matrices Z_l, D x (n+1), after l layers.
    std::vector<Eigen::MatrixXd> Z;
    // L+1 matrices G_l = Z_l M Z_l', D x D, without the query.
    std::vector<Eigen::MatrixXd> gram;
    // The attention act(Z_l' Q Z_l) of the next layer, (n+1) x (n+1): L of them, or L+1 if all layers have the same
    // weights, the last for one more layer.
    std::vector<Eigen::MatrixXd> attention;
    // The network's w_l, (L+1) x d. For linear attention, the first d entries of minus the last row of
    //
    //     T_{l-1} .. T_0,   T_l = I + (1/n) P G_l Q
    //
    // and the value after l layers is w_l' phi(query). For other activations the implicit weight of Appendix D.1.2,
    // Wang et al. 2025: the regression of the states' values on their features.
    Eigen::MatrixXd network;
    // Batch TD's w_l, (L+1) x d: Eq. (8), from w_0 = 0.
    Eigen::MatrixXd batch_td;
    // L+1: the network's own output after l layers, -Z_l[D, n+1].
    Eigen::VectorXd value;
    // L+1: batch TD's w_l' phi(query).
    Eigen::VectorXd batch_td_value;
    // (L+1) x n: R + gamma w_l' phi' - w_l' phi of each transition, with the network's and with batch TD's w_l.
    Eigen::MatrixXd network_errors, batch_td_errors;
};

/// The trace of one prompt. query: d; C: batch TD's preconditioner, d x d; alpha I is a step size.
TdTrace td_trace(const Transitions& context, const Eigen::VectorXd& query, const TracedNetwork& network,
                 const Eigen::MatrixXd& C, const TracedStates& states);

}  // namespace emergence
