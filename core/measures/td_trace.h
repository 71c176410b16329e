#pragma once
// One prompt of in-context TD through the transformer, layer by layer, beside batch TD's iterates: Z_l, the
// attention, the Gram matrix, the implicit weight w_l, the value, and how the context's transitions err.

#include <vector>

#include "core/base/eigen.h"
#include "core/models/network_shape.h"
#include "core/tasks/td_prompt.h"

namespace emergence {

/// One P and Q that every layer shares, or as many as there are layers; D x D with D = 2d+1.
struct TracedNetwork {
    std::vector<Eigen::MatrixXd> P, Q;
    int layers = 1;
    Activation activation = Activation::identity;
};

/// What the value of a state is made of, beside the prompt itself.
struct TracedStates {
    Eigen::MatrixXd features;    // d x m
    Eigen::VectorXd stationary;  // m
};

struct TdTrace {
    std::vector<Eigen::MatrixXd> Z;     // L+1 of D x (n+1): after l layers
    std::vector<Eigen::MatrixXd> gram;  // L+1 of D x D: G_l = Z_l M Z_l', the query left out
    /// act(Z_l' Q Z_l), (n+1) x (n+1): what the next layer attends to. L+1 where layers share their weights
    /// (the last is what one more would), else L.
    std::vector<Eigen::MatrixXd> attention;
    /// (L+1) x d, w_l. For linear attention the value after l layers is w_l' phi(query), and w_l comes from
    /// the Gram matrices alone: with T_l = I + (1/n) P G_l Q it is minus the last row of T_{l-1} .. T_0, its
    /// first d entries. For other activations the implicit weight of Appendix D.1.2 (Wang et al. 2025): the
    /// regression of the states' values on their features.
    Eigen::MatrixXd network;
    Eigen::MatrixXd batch_td;        // (L+1) x d: Eq. (8), from w_0 = 0
    Eigen::VectorXd value;           // L+1: minus Z_l[D, n+1], the network's own output after l layers
    Eigen::VectorXd batch_td_value;  // L+1: w_l' phi(query)
    /// (L+1) x n: R + gamma w_l' phi' - w_l' phi of each transition, with either's w_l.
    Eigen::MatrixXd network_errors, batch_td_errors;
};

/// C: d x d, batch TD's preconditioner; alpha I is a step size.
TdTrace td_trace(const Transitions& context, const Eigen::VectorXd& query, const TracedNetwork& network,
                 const Eigen::MatrixXd& C, const TracedStates& states);

}  // namespace emergence
