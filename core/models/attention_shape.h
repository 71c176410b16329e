#pragma once
// The sizes of an attention network, and what it makes of its scores. Plain data: lane kernels read this header
// too.

namespace emergence {

/// act of Z <- Z + (1/n) P Z M act(Z' Q Z), entry by entry but for the two softmaxes. softmax normalises each
/// row (over the columns, the query's included) as in Eq. (1) of Wang et al. 2025 and its authors' code;
/// softmax_columns each column (over all rows, before M removes the query's), as in standard attention.
enum class Activation { identity, softmax, softmax_columns, relu, elu, tanh };

struct AttentionShape {
    int d;               // features; Z has 2d+1 rows
    int context_length;  // n
    int layers;          // L
    int stored;          // 1 (autoregressive) or L (sequential)
    Activation activation;

    constexpr int rows() const { return 2 * d + 1; }
    constexpr int columns() const { return context_length + 1; }
};

}  // namespace emergence
