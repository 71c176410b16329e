#pragma once
// What a network is made of, and any network on windows or prompts. Without Eigen, since lane kernels
// include this header.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/base/instruction_set.h"
#include "core/tasks/layouts.h"

namespace emergence {

// Upper limits of all networks.
constexpr int kMaxRows = 65;     // rows of Z: 2d+1 with d up to 32
constexpr int kMaxLayers = 128;  // layers of one forward pass

/// attention: the transformer of Eq. (3), Wang et al. 2025; rnn: the recurrent network of Appendix G; two_heads: the
/// linear attention of Eq. (18), whose prompts have a row of memory.
enum class Model { attention, rnn, two_heads };

/// M in Eq. (3). td removes the query's row, Eq. (2). td_lambda also gives each transition a trace of those before it:
/// M[i, j] = lambda^(i-j) for j <= i, Eq. (14). For linear attention.
enum class Mask { td, td_lambda };

/// act in
///
///     Z <- Z + (1/n) P Z M act(Z' Q Z)
///
/// It acts entry by entry, except for the softmaxes: softmax normalises each row over all columns, the query's
/// too, as in Appendix E, Wang et al. 2025, and its authors' code; softmax_columns normalises each column over
/// all rows, before M removes the query's, as in standard attention.
enum class Activation { identity, softmax, softmax_columns, relu, elu, tanh };

/// The sizes of one network.
struct NetworkShape {
    Model model = Model::attention;
    int d = 4;                // features of a state
    int context_length = 30;  // n
    int layers = 3;           // L
    int stored = 1;           // layers of attention with their own weights: 1 (autoregressive) or L (sequential)
    Activation activation = Activation::identity;  // the activation of attention
    Activation recurrent = Activation::tanh;       // the activation of recurrent units: tanh, relu or identity
    int width = 4;                                 // h, the units of a recurrent layer
    // The mask of linear attention and its lambda. learns_lambda: lambda is trained too, from this value on.
    Mask mask = Mask::td;
    double mask_lambda = 0;
    bool learns_lambda = false;
    // Two heads: whether W, which joins them, is trained; otherwise it is the paper's, Eq. (16).
    bool learns_W = false;
    bool shares_Q = false;  // two heads: whether both share one Q, as in Eq. (15)

    /// Rows of a prompt: phi, gamma phi', R and, for the recurrent network, a flag of the query, for two heads memory.
    constexpr int rows() const { return 2 * d + (model == Model::attention ? 1 : 2); }
    /// Whether a mask makes Z M Z' other than symmetric: the networks of masked_network_kernels.cpp.
    constexpr bool is_masked() const { return model == Model::two_heads || mask == Mask::td_lambda; }
    constexpr int heads() const { return model == Model::two_heads ? 2 : 1; }
    /// Matrices of D x D among the weights; without recurrence.
    constexpr int matrices() const { return 2 * heads() * stored - (shares_Q ? 1 : 0); }
    /// The context's columns and the query.
    constexpr int columns() const { return context_length + 1; }
    constexpr size_t num_weights() const {
        const auto r = static_cast<size_t>(rows()), h = static_cast<size_t>(width);
        if (model != Model::rnn)
            return static_cast<size_t>(matrices()) * r * r + (learns_W ? 2 * r * r : 0) + (learns_lambda ? 1 : 0);
        return h * (r + h + 1) + static_cast<size_t>(layers - 1) * h * (2 * h + 1) + h;
    }
};

/// The activation called `name`, as in Activation. Throws InputError with the list of names if there is no such
/// activation; `what`: the setting that the message names.
Activation activation_named(const std::string& name, const std::string& what);

// The interface between a training loss and a network: the values of a minibatch's sliding windows, and their
// gradient by the weights. Any loss works with any network.
//
// Window w = 0 .. B of one trajectory S_0, S_1, ... has the transitions w .. w+n-1 as context and S_{w+n+1} as
// query (Algorithm 1, Wang et al. 2025). The value of window w+1 is thus the bootstrapped target of window w.

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

/// The network of the given shape, for any loss. Linear attention has the algebra of gram_network.h; all others one
/// whole prompt per lane. T: float (any instruction set) or double (generic). layout.context_length must equal the
/// shape's. The TD loss of linear attention has a faster path with the same bits (core/training/lane_losses.h).
template <class T>
std::unique_ptr<WindowValues<T>> make_network_windows(const NetworkShape& shape, const PhasedLayout& layout,
                                                      InstructionSet set = instruction_set());

/// Throws InvariantError for sizes that no kernel has.
void check_network_shape(const NetworkShape& shape, const PhasedLayout& layout);

/// The matrices in the flat weights: P0, P1, .. then Q0, Q1, .., each D x D, then lambda if it is learned; P1, Q1, P2,
/// Q2 of two heads, or P1, Q12, P2, then W, D x 2D, if it is learned; or W_ax0, W_aa0, b_a0, W_ax1, .., W_o.
std::vector<NamedBlock> network_blocks(const NetworkShape& shape);

/// An untrained recurrent network. Its weights are uniform in +-1/sqrt(h), PyTorch's default; the paper gives no
/// initial distribution.
WindowNetwork make_rnn(const NetworkShape& shape, const PhasedLayout& layout, uint64_t seed);

/// Bytes of the tapes of networks with whole prompts in lanes, which grow with the minibatch.
double network_windows_bytes(const NetworkShape& shape, const PhasedLayout& layout);

// The values of any network for many separate prompts, and their gradients by the query. They measure networks
// whose value is not linear in the query.

/// A batch of prompts. Prompt p is the first n transitions of context context_of[p], and query p.
struct PromptBatch {
    const float* contexts;  // each context: states x (d+1), phi(S_t) then R_{t+1}, at least n + 1 states
    int context_size;       // floats from one context to the next
    const int* context_of;  // prompts
    // prompts x d
    const float* queries;
    int prompts;
    float gamma;
};

/// Forward and backward passes of one shape, in float. Reuses its workspace; not thread-safe.
class NetworkPrompts {
  public:
    virtual ~NetworkPrompts() = default;
    /// Computes values (one per prompt) and by_query: prompts x d, d value / d phi(query), or null. weights: flat,
    /// as in network_windows.h.
    virtual void run(const PromptBatch& batch, const float* weights, float* values, float* by_query) = 0;
};

/// The network of the given shape, not a masked one.
std::unique_ptr<NetworkPrompts> make_network_prompts(const NetworkShape& shape);

}  // namespace emergence
