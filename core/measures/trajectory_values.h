#pragma once
// The values that a network and batch TD assign to the states of one trajectory, each from the n transitions
// before it: what is drawn beside a simulated task.

#include <vector>

#include "core/models/network_shape.h"

namespace emergence {

/// A trajectory under a sliding window. Window w = 0, 1, .. has the transitions w .. w+n-1 as its context and
/// S_{w+n+1} as its query (Algorithm 1, Wang et al. 2025).
struct WatchedTrajectory {
    std::vector<float> rows;      // times x (d+1): phi(S_t), R_{t+1}
    float gamma = 0.9F;           // within prompts
    bool average_reward = false;  // batch TD is told R less the mean of the context's rewards so far
};

class TrajectoryValues {
  public:
    /// shape: n and d; layers and stored layers are those trained. As many windows as the trajectory has room
    /// for. `stride`: only every so many windows are evaluated for a network that is not linear in the query.
    TrajectoryValues(const NetworkShape& shape, WatchedTrajectory trajectory, int stride = 1);

    int windows() const { return windows_; }
    /// Of windows 0, 1, .. (those of `stride` for networks that need it). weights: flat, as training has
    /// them; `layers` other than trained only where they are shared.
    std::vector<double> network(int layers, const std::vector<float>& weights) const;
    /// Which windows those are.
    std::vector<int> network_windows() const;
    /// Batch TD of so many steps with step size alpha, of every window.
    std::vector<double> batch_td(int layers, float alpha) const;

  private:
    const float* query(int window) const;
    /// w' phi(query) of every window, from implicit weights in lanes.
    std::vector<double> values_of(const std::vector<float>& weights) const;
    void add_gram(int window, bool centred, std::vector<float>& grams) const;

    NetworkShape shape_;
    WatchedTrajectory trajectory_;
    int windows_, groups_, stride_;
    std::vector<float> grams_, batch_td_grams_;  // see GramBank; the second only with average reward
};

}  // namespace emergence
