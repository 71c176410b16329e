#pragma once
// The interface between a training loss and a network: the values of a minibatch's sliding windows, and their
// gradient by the weights. Any loss works with any network.
//
// Window w = 0 .. B of one trajectory S_0, S_1, ... has the transitions w .. w+n-1 as context and S_{w+n+1} as
// query (Algorithm 1, Wang et al. 2025). The value of window w+1 is thus the bootstrapped target of window w.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace emergence {

/// A network of one shape: the constructor fixes n, B, d and all other sizes. Reuses its workspace; not
/// thread-safe. T: float, or double for checks. Lane kernels implement it, so it needs no standard library.
template <class T>
class WindowValues {
  public:
    virtual ~WindowValues() = default;

    /// The B+1 values of the windows. trajectory: (d+1) x PhasedLayout::of(n, B).row_size(), phi then R(S_t), in
    /// phase order; gamma: the prompt's discount; weights: flat. Trajectory and weights must outlive backward().
    virtual void forward(const T* trajectory, T gamma, const T* weights, T* values) = 0;

    /// For the windows of the last forward(), overwrites weight_gradient (laid out as the weights):
    ///
    ///     weight_gradient = sum_w value_gradient[w] d value_w / d weights
    ///
    /// value_gradient: B+1; windows whose entry is 0 may be skipped.
    virtual void backward(const T* value_gradient, T* weight_gradient) = 0;
};

/// One matrix in a network's flat weights: rows x columns from `offset` on, row-major.
struct NamedBlock {
    std::string name;  // "P0", "Q0", ...
    int rows;
    int columns;
    size_t offset;

    size_t size() const { return static_cast<size_t>(rows) * static_cast<size_t>(columns); }
};

/// A network to train: its computation, the blocks of its flat weights (without gaps) and their initial values.
struct WindowNetwork {
    std::unique_ptr<WindowValues<float>> values;
    std::vector<NamedBlock> blocks;
    std::vector<float> initial_weights;
};

}  // namespace emergence
