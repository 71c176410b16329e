#pragma once
// The values that a network and batch TD assign to the states of one trajectory, each from the n transitions before it,
// for display beside a simulated task.

#include <vector>

#include "core/models/network_windows.h"

namespace emergence {

/// A trajectory under a sliding window. Window w = 0, 1, .. has the transitions w .. w+n-1 as context and S_{w+n+1} as
/// query (Algorithm 1, Wang et al. 2025).
struct WatchedTrajectory {
    // times x (d+1): phi(S_t), R_{t+1}.
    std::vector<float> rows;
    // In prompts.
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
    int windows_, groups_, stride_;
    std::vector<float> grams_, batch_td_grams_;  // see GramBank; the second only for average reward
    std::vector<float> states_;                  // likewise; only for masked networks
};

}  // namespace emergence
