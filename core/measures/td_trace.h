#pragma once
// The inside of in-context TD, for display: one prompt layer by layer, and the values along a trajectory.

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

/// The trace through L layers.
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

// The values that a network and batch TD assign to the states of one trajectory, each from the n transitions before it.
// They are displayed together with a simulated task.

/// A trajectory under a sliding window. Window w = 0, 1, .. has the transitions w .. w+n-1 as context and S_{w+n+1} as
/// query (Algorithm 1, Wang et al. 2025).
struct WatchedTrajectory {
    // times x (d+1): phi(S_t), R_{t+1}.
    std::vector<float> rows;
    // The discount in prompts.
    float gamma = 0.9F;
    // Batch TD receives R minus the mean of the context's rewards so far.
    bool average_reward = false;
};

/// The values of all windows that fit into a trajectory.
class TrajectoryValues {
  public:
    /// shape: as trained. stride: a network that is not linear in the query is evaluated on every stride-th window.
    TrajectoryValues(const NetworkShape& shape, WatchedTrajectory trajectory, int stride = 1);

    int windows() const { return windows_; }
    /// The network's values of network_windows(). weights: flat, as in training; layers: the trained number unless
    /// shares_layers().
    std::vector<double> network(int layers, const std::vector<float>& weights) const;
    /// The windows that network() evaluates.
    std::vector<int> network_windows() const;
    /// The values of all windows by batch TD with `layers` steps of step size alpha.
    std::vector<double> batch_td(int layers, float alpha) const;

  private:
    const float* query(int window) const;
    // w' phi(query) of every window, from implicit weights in lanes.
    std::vector<double> values_of(const std::vector<float>& weights) const;
    void add_gram(int window, bool centred, std::vector<float>& grams) const;

    NetworkShape shape_;
    WatchedTrajectory trajectory_;
    int stride_;
    int windows_ = static_cast<int>(trajectory_.rows.size()) / (shape_.d + 1) - shape_.context_length - 1;
    int groups_ = (windows_ + 15) / 16;
    std::vector<float> grams_, batch_td_grams_;  // see GramBank; the second only for average reward
    std::vector<float> states_;                  // likewise; only for masked networks
};

}  // namespace emergence
