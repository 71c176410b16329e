#pragma once
// The sizes of a network. Plain data, since lane kernels include this header.

#include <cstddef>
#include <string>
#include <vector>

namespace emergence {

// Upper limits of all networks.
constexpr int kMaxRows = 65;     // rows of Z: 2d+1 with d up to 32
constexpr int kMaxLayers = 128;  // layers of one forward pass

/// attention: the transformer of Eq. (3), Wang et al. 2025; rnn: the recurrent network of Appendix G.
enum class Model { attention, rnn };

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
    // Of attention; the recurrent network uses tanh.
    Activation activation = Activation::identity;
    // h, of a recurrent layer.
    int width = 4;

    /// Rows of a prompt: phi, gamma phi', R and, for the recurrent network, a flag of the query.
    constexpr int rows() const { return 2 * d + (model == Model::rnn ? 2 : 1); }
    /// The context's columns and the query.
    constexpr int columns() const { return context_length + 1; }
    constexpr size_t num_weights() const {
        const auto r = static_cast<size_t>(rows()), h = static_cast<size_t>(width);
        if (model == Model::attention) return 2 * static_cast<size_t>(stored) * r * r;
        return h * (r + h + 1) + static_cast<size_t>(layers - 1) * h * (2 * h + 1) + h;
    }
};

/// "identity", "softmax", "softmax_columns", ..., in the order of Activation.
const std::vector<std::string>& activation_names();

/// The activation called `name`. Throws InputError with the list of names if there is no such activation;
/// `what`: the setting that the message names.
Activation activation_named(const std::string& name, const std::string& what);

}  // namespace emergence
