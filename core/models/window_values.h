#pragma once
// What a training loss needs of a network: the values of a minibatch's sliding windows, and how the weights
// change them. Any loss works with any network through this.
//
// Window w = 0 .. B over one trajectory S_0, S_1, ...: its context are the transitions w .. w+n-1, its query
// is S_{w+n+1} (Algorithm 1, Wang et al. 2025), so that window w+1's value is window w's bootstrapped target.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace emergence {

/// A network of one shape (n, B, d and its own sizes are fixed when it is made); keeps its workspace. Not
/// thread-safe. T: float, or double for checks. Nothing here needs the standard library, so that lane kernels
/// may implement it.
template <class T>
class WindowValues {
  public:
    virtual ~WindowValues() = default;

    /// trajectory: (d+1) x PhasedLayout::of(n, B).row_size(), phi then R(S_t), in phase order; gamma: the
    /// prompt's discount; weights: flat. values: B+1. The trajectory and the weights must stay until
    /// backward() has run.
    virtual void forward(const T* trajectory, T gamma, const T* weights, T* values) = 0;

    /// For the windows of the last forward(): weight_gradient (as the weights, overwritten) = sum over w of
    /// value_gradient[w] * d value_w / d weights. value_gradient: B+1; a window whose entry is 0 may be
    /// skipped.
    virtual void backward(const T* value_gradient, T* weight_gradient) = 0;
};

/// One matrix within a network's flat weights: rows x columns from `offset` on, row-major.
struct NamedBlock {
    std::string name;  // "P0", "Q0", ...
    int rows;
    int columns;
    size_t offset;

    size_t size() const { return static_cast<size_t>(rows) * static_cast<size_t>(columns); }
};

/// A network to be trained: how it computes, what its flat weights are (blocks without gaps) and where they
/// start.
struct WindowNetwork {
    std::unique_ptr<WindowValues<float>> values;
    std::vector<NamedBlock> blocks;
    std::vector<float> initial_weights;
};

}  // namespace emergence
