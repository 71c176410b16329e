#pragma once
// In-context TD with softmax attention, as the paper writes it, in double: the prompt, the kernel, both forms of
// the layer, and the weights that are proven to run weighted softmax TD ("Beyond Linear Attention: Softmax
// Transformers Implement In-Context Reinforcement Learning"). The available text lacks its formulas; section B
// of SPEC recovers them.
//
// Z is D x (n+1) with D = d+3. Its rows are x(S_0) .. x(S_n); the rewards R_1 .. R_n and 0; and two rows of
// memory that start at 0, the target value gamma v(S_k) and the current value v(S_{k-1}). The last column is the
// query S_n, and the value is +Z_L[D, n+1].

#include <vector>

#include "core/base/linear_algebra.h"

namespace emergence {

/// P and Q of a layer: D x D.
struct SoftmaxTdWeights {
    Eigen::MatrixXd P, Q;
};

/// Eq. (15): P = step e_{d+3} [0_d, 1, 1, -1], Q = sharpness diag(I_d, 0_3). In the paper step = sharpness = 1.
SoftmaxTdWeights softmax_td_construction(int d, double step = 1.0, double sharpness = 1.0);

/// Eq. (13): the prompt Z_0, D x (n+1). features: d x (n+1), the states S_0 .. S_n; rewards: n.
Eigen::MatrixXd softmax_td_prompt(const Eigen::MatrixXd& features, const Eigen::VectorXd& rewards);

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
    // Divides the scores.
    double temperature = 1.0;
    // xi of Eq. (104): (1 - xi) A + xi I in the context's columns.
    double mixing = 0.0;
    // Eq. (2): removes the query from the sources. The proofs need it.
    bool mask_query = true;
};

/// Eq. (4): the attention A, (n+1) x (n+1), sources by rows. Z: D x (n+1); Q: D x D.
Eigen::MatrixXd attention_kernel(const Eigen::MatrixXd& Z, const Eigen::MatrixXd& Q, const KernelOptions& options);

/// S of Eq. (16), (n+1) x (n+1): Z S moves every column one to the left; the last becomes 0.
Eigen::MatrixXd left_shift(int n);

/// Eq. (18): Z plus the current-value head P Z A and the target-value head gamma e_{d+2} e_{d+3}' P Z A S. P must
/// write into the last row only.
Eigen::MatrixXd dual_head_layer(const Eigen::MatrixXd& Z, const SoftmaxTdWeights& weights, double gamma,
                                const KernelOptions& options);

/// Eq. (23): single-head attention Zt = Z + P Z A, then a temporal shift, which sets row d+2 to gamma times row
/// d+3 one to the left. Any P is allowed: training uses this layer. shift = false omits the shift, as a control.
Eigen::MatrixXd temporal_shift_layer(const Eigen::MatrixXd& Z, const SoftmaxTdWeights& weights, double gamma,
                                     const KernelOptions& options, bool shift = true);

// The trained transformer exactly as the softmax paper writes it, with n x n attention, forward and backward: the
// reference for the fast path in tests (double) and benchmarks (float, fixed sizes). Eqs. (4), (23), (104):
//
//     K = (1 - xi) softmax(Z' Q Z / T) + xi I
//     Zt = Z + P Z K
//     Z_next = Zt, but row d+2 of Z_next = gamma times row d+3 of Zt, shifted to the left
//
// The query's row is masked; its column of K is the softmax alone.

/// Forward and backward passes of one prompt; all layers have the same weights. Rows (D = d+3) and Columns (n+1)
/// may be Eigen::Dynamic; fixed sizes allocate nothing after the first pass.
template <class Scalar, int Rows = Eigen::Dynamic, int Columns = Eigen::Dynamic>
class NaiveSoftmaxTd {
  protected:
    static constexpr int kContext = Columns == Eigen::Dynamic ? Eigen::Dynamic : Columns - 1;

  public:
    using Square = Eigen::Matrix<Scalar, Rows, Rows>;
    using Prompt = Eigen::Matrix<Scalar, Rows, Columns>;
    using Kernel = Eigen::Matrix<Scalar, kContext, Columns>;  // sources by rows

    struct Options {
        int layers = 1;
        Scalar gamma = Scalar(0.9), temperature = Scalar(1), mixing = Scalar(0);
    };

    explicit NaiveSoftmaxTd(const Options& options) : options_(options), steps_(options.layers) {}

    void set_weights(const Square& P, const Square& Q) {
        P_ = P;
        Q_ = Q;
    }

    /// Z_L. Z0: D x (n+1).
    const Prompt& forward(const Prompt& Z0);

    /// The query's value: Z_L[D, n+1], Eq. (19).
    Scalar value() const { return Z_(Z_.rows() - 1, Z_.cols() - 1); }
    /// After forward(): K of a layer (from 0), n x (n+1), and the layer's input Z, D x (n+1).
    const Kernel& kernel(int layer) const { return steps_[layer].K; }
    const Prompt& before(int layer) const { return steps_[layer].Z; }

  protected:
    struct Step {
        Prompt Z, QZ, X;
        Kernel A, K;
    };
    Options options_;
    Square P_, Q_;
    std::vector<Step> steps_;
    Prompt Z_;
};

template <class Scalar, int Rows, int Columns>
auto NaiveSoftmaxTd<Scalar, Rows, Columns>::forward(const Prompt& Z0) -> const Prompt& {
    Z_ = Z0;
    const auto n = Z_.cols() - 1, D = Z_.rows();
    for (Step& step : steps_) {
        step.Z = Z_;
        step.QZ.noalias() = Q_ * Z_;
        step.A.noalias() = Z_.template leftCols<kContext>(n).transpose() * step.QZ;
        for (Eigen::Index j = 0; j <= n; ++j) {
            const Scalar largest = step.A.col(j).maxCoeff();
            step.A.col(j) = ((step.A.col(j).array() - largest) / options_.temperature).exp();
            step.A.col(j) /= step.A.col(j).sum();
        }
        step.K = step.A;
        if (options_.mixing != Scalar(0)) {
            step.K.template leftCols<kContext>(n) *= Scalar(1) - options_.mixing;
            step.K.template leftCols<kContext>(n).diagonal().array() += options_.mixing;
        }
        step.X.noalias() = Z_.template leftCols<kContext>(n) * step.K;
        Z_.noalias() += P_ * step.X;
        for (Eigen::Index j = 0; j < n; ++j) Z_(D - 2, j) = options_.gamma * Z_(D - 1, j + 1);
        Z_(D - 2, n) = Scalar(0);
    }
    return Z_;
}

}  // namespace emergence
