#pragma once
// In-context TD with softmax attention, as the paper writes it, in double: the prompt, the kernel, both forms of
// the layer, and the weights that are proven to run weighted softmax TD ("Beyond Linear Attention: Softmax
// Transformers Implement In-Context Reinforcement Learning"). The available text lacks its formulas; section B
// of SPEC recovers them.
//
// Z is D x (n+1) with D = d+3. Its rows are x(S_0) .. x(S_n); the rewards R_1 .. R_n and 0; and two rows of
// memory that start at 0, the target value gamma v(S_k) and the current value v(S_{k-1}). The last column is the
// query S_n, and the value is +Z_L[D, n+1].

#include "core/base/matrix.h"

namespace emergence {

/// P and Q of a layer: D x D.
struct SoftmaxTdWeights {
    Mat P, Q;
};

/// Eq. (15): P = step e_{d+3} [0_d, 1, 1, -1], Q = sharpness diag(I_d, 0_3). In the paper step = sharpness = 1.
SoftmaxTdWeights softmax_td_construction(int d, double step = 1.0, double sharpness = 1.0);

/// Eq. (13): the prompt Z_0, D x (n+1). features: d x (n+1), the states S_0 .. S_n; rewards: n.
Mat softmax_td_prompt(const Mat& features, const Vec& rewards);

/// The function of the score z_i' Q z_j of source i and column j. The divisions by n are ours: a longer context
/// then takes no larger step.
enum class ScoreKernel {
    // Over the sources of a column.
    softmax,
    // max(0, score) / n
    relu,
    // ELU(score) / n
    elu,
    // exp(-|x_i - x_j|^2 / 2) / n, with |x|^2 from the scores.
    rbf,
};

/// How attention_kernel() turns scores into weights.
struct KernelOptions {
    ScoreKernel kernel = ScoreKernel::softmax;
    double temperature = 1.0;  // divides the scores
    double mixing = 0.0;       // xi of Eq. (104): (1 - xi) A + xi I in the context's columns
    bool mask_query = true;    // Eq. (2): removes the query from the sources. The proofs need it.
};

/// Eq. (4): the attention A, (n+1) x (n+1), sources by rows. Z: D x (n+1); Q: D x D.
Mat attention_kernel(const Mat& Z, const Mat& Q, const KernelOptions& options);

/// S of Eq. (16), (n+1) x (n+1): Z S moves every column one to the left; the last becomes 0.
Mat left_shift(int n);

/// Eq. (18): Z plus the current-value head P Z A and the target-value head gamma e_{d+2} e_{d+3}' P Z A S. P must
/// write into the last row only.
Mat dual_head_layer(const Mat& Z, const SoftmaxTdWeights& weights, double gamma, const KernelOptions& options);

/// Eq. (23): single-head attention Zt = Z + P Z A, then a temporal shift, which sets row d+2 to gamma times row
/// d+3 one to the left. Any P is allowed: training uses this layer. shift = false omits the shift, as a control.
Mat temporal_shift_layer(const Mat& Z, const SoftmaxTdWeights& weights, double gamma, const KernelOptions& options,
                         bool shift = true);

}  // namespace emergence
