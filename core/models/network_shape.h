#pragma once
// The sizes of a network. Plain data, since lane kernels include this header.

#include <cstddef>
#include <string>
#include <vector>

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
    // Features of a state.
    int d = 4;
    // n
    int context_length = 30;
    // L
    int layers = 3;
    // Layers of attention with their own weights: 1 (autoregressive) or L (sequential).
    int stored = 1;
    // Of attention.
    Activation activation = Activation::identity;
    // Of the recurrent network's units: tanh, relu or identity.
    Activation recurrent = Activation::tanh;
    // h, of a recurrent layer.
    int width = 4;
    // Of linear attention, with its lambda. learns_lambda: this is the first value of one more weight.
    Mask mask = Mask::td;
    double mask_lambda = 0;
    bool learns_lambda = false;
    // Of two heads: whether W, which joins them, is trained; else it is the paper's, Eq. (16).
    bool learns_W = false;
    // Of two heads: whether one Q serves both, as in Eq. (15).
    bool shares_Q = false;

    /// Rows of a prompt: phi, gamma phi', R and, for the recurrent network, a flag of the query, for two heads memory.
    constexpr int rows() const { return 2 * d + (model == Model::attention ? 1 : 2); }
    /// Whether a mask makes Z M Z' other than symmetric: the networks of masked_network.h.
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

/// "identity", "softmax", "softmax_columns", ..., in the order of Activation.
const std::vector<std::string>& activation_names();

/// The activation called `name`. Throws InputError with the list of names if there is no such activation;
/// `what`: the setting that the message names.
Activation activation_named(const std::string& name, const std::string& what);

}  // namespace emergence
