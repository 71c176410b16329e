#pragma once
// What a network is made of. Plain data: lane kernels read this header too.

#include <cstddef>

namespace emergence {

/// attention: the transformer of Eq. (3), Wang et al. 2025; rnn: the recurrent network of its Appendix G.
enum class Model { attention, rnn };

/// act of Z <- Z + (1/n) P Z M act(Z' Q Z), entry by entry but for the two softmaxes. softmax normalises each
/// row (over the columns, the query's included) as in Appendix E of Wang et al. 2025 and its authors' code;
/// softmax_columns each column (over all rows, before M removes the query's), as in standard attention.
enum class Activation { identity, softmax, softmax_columns, relu, elu, tanh };

struct NetworkShape {
    Model model = Model::attention;
    int d = 4;                                     // features of a state
    int context_length = 30;                       // n
    int layers = 3;                                // L
    int stored = 1;                                // attention: 1 (autoregressive) or L (sequential)
    Activation activation = Activation::identity;  // attention's; the recurrent network's is tanh
    int width = 4;                                 // h, of a recurrent layer

    /// Rows of a prompt: phi, gamma phi', R and, for the recurrent network, a flag that marks the query.
    constexpr int rows() const { return 2 * d + (model == Model::rnn ? 2 : 1); }
    /// The context's columns and the query.
    constexpr int columns() const { return context_length + 1; }
    constexpr size_t num_weights() const {
        const auto r = static_cast<size_t>(rows()), h = static_cast<size_t>(width);
        if (model == Model::attention) return 2 * static_cast<size_t>(stored) * r * r;
        return h * (r + h + 1) + static_cast<size_t>(layers - 1) * h * (2 * h + 1) + h;
    }
};

}  // namespace emergence
