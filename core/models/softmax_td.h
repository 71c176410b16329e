#pragma once
// In-context TD with softmax attention, as the paper writes it, in double: the prompt, the kernel, the layer
// in both of its forms and the weights that are proven to run weighted softmax TD ("Beyond Linear Attention:
// Softmax Transformers Implement In-Context Reinforcement Learning"; its formulas are missing in the text
// that this was built from, and were recovered: SPEC's section B).
//
// Z is D x (n+1) with D = d+3: x(S_0) .. x(S_n), the rewards R_1 .. R_n and 0, then two rows of memory that
// start at 0: the target value gamma v(S_k) and the current value v(S_{k-1}). The last column is the query
// S_n, and the value is +Z_L[D, n+1].

#include "core/base/eigen.h"

namespace emergence {

/// P and Q of a layer: D x D.
struct SoftmaxTdWeights {
    Eigen::MatrixXd P, Q;
};

/// Eq. (15): P = step e_{d+3} [0_d, 1, 1, -1], Q = sharpness diag(I_d, 0_3). The paper has both factors 1.
SoftmaxTdWeights softmax_td_construction(int d, double step = 1.0, double sharpness = 1.0);

/// Eq. (13). features: d x (n+1), the states S_0 .. S_n; rewards: n.
Eigen::MatrixXd softmax_td_prompt(const Eigen::MatrixXd& features, const Eigen::VectorXd& rewards);

/// What becomes of the scores z_i' Q z_j of source i and column j.
enum class ScoreKernel {
    softmax,  // over the sources of a column
    relu,     // max(0, score) / n: divided by n (ours), so that a longer context takes no larger step
    elu,      // ELU(score) / n
    rbf,      // exp(-|x_i - x_j|^2 / 2) / n, with |x|^2 read off the scores
};

struct KernelOptions {
    ScoreKernel kernel = ScoreKernel::softmax;
    double temperature = 1.0;  // scores are divided by it
    double mixing = 0.0;       // xi of Eq. (104): (1 - xi) A + xi I in the context's columns
    bool mask_query = true;    // Eq. (2): the query is no source. Without it nothing is proven.
};

/// A: (n+1) x (n+1), sources by rows. Eq. (4).
Eigen::MatrixXd attention_kernel(const Eigen::MatrixXd& Z, const Eigen::MatrixXd& Q,
                                 const KernelOptions& options);

/// S of Eq. (16): Z S moves every column one to the left, the last becomes 0. (n+1) x (n+1).
Eigen::MatrixXd left_shift(int n);

/// Eq. (18): the current-value head P Z A and the target-value head gamma e_{d+2} e_{d+3}' P Z A S, added.
/// For a P that writes into the last row alone.
Eigen::MatrixXd dual_head_layer(const Eigen::MatrixXd& Z, const SoftmaxTdWeights& weights, double gamma,
                                const KernelOptions& options);

/// Eq. (23): Zt = Z + P Z A, then row d+2 becomes gamma times row d+3 shifted: single-head attention and a
/// temporal shift. For any P: the definition of the layer that is trained. Without `shift` the last step is
/// left out, for a control.
Eigen::MatrixXd temporal_shift_layer(const Eigen::MatrixXd& Z, const SoftmaxTdWeights& weights, double gamma,
                                     const KernelOptions& options, bool shift = true);

}  // namespace emergence
