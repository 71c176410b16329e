#pragma once
// The transformer exactly as the paper writes it, with n x n attention: the reference for faster forms in
// tests (double) and benchmarks (float, fixed sizes), which add the backward pass.
//
//     Z_{l+1} = Z_l + (1/n) P_l Z_l M act(Z_l' Q_l Z_l),   M = diag(1, .., 1, 0)
//
// Eq. (3), Wang et al. 2025, for the identity; Appendix E for softmax.

#include <cmath>
#include <vector>

#include "core/base/eigen.h"
#include "core/models/network_windows.h"

namespace emergence {

/// The forward pass of one prompt. Rows and Columns may be Eigen::Dynamic; fixed sizes allocate
/// nothing after the first forward pass.
template <class Scalar, int Rows = Eigen::Dynamic, int Columns = Eigen::Dynamic>
class NaiveAttention {
  public:
    using Square = Eigen::Matrix<Scalar, Rows, Rows>;
    using Prompt = Eigen::Matrix<Scalar, Rows, Columns>;
    using Attention = Eigen::Matrix<Scalar, Columns, Columns>;

    /// P, Q: D x D for each layer, or one pair that all layers share.
    NaiveAttention(std::vector<Square> P, std::vector<Square> Q, int layers,
                   Activation activation = Activation::identity)
        : P_(std::move(P)), Q_(std::move(Q)), layers_(layers), activation_(activation), steps_(layers) {}

    /// Replaces P and Q of one stored layer.
    void set_weights(size_t layer, const Square& P, const Square& Q) {
        P_[layer] = P;
        Q_[layer] = Q;
    }

    /// M other than diag(1, .., 1, 0): (n+1) x (n+1), without the query, whose row and column are zero.
    void set_mask(const Attention& M) { M_ = M; }

    /// Z_L, Eq. (3), from Z_0: D x (n+1) both; n is the number of columns minus one.
    const Prompt& forward(const Prompt& Z0);

    /// After forward(): the layer's input Z_l, D x (n+1), and its attention act(Z_l' Q_l Z_l),
    /// (n+1) x (n+1). layer: from 0.
    const Prompt& input(int layer) const { return steps_[layer].Z; }
    const Attention& attention(int layer) const { return steps_[layer].A; }

    /// The value of the query: minus the bottom-right entry of Z_L, Eq. (4).
    Scalar value() const { return -Z_(Z_.rows() - 1, Z_.cols() - 1); }

  protected:
    static constexpr int kContext = Columns == Eigen::Dynamic ? Eigen::Dynamic : Columns - 1;
    struct Step {
        Prompt Z, QZ, X;
        Attention A;
    };
    size_t stored(int layer) const { return P_.size() == 1 ? 0 : static_cast<size_t>(layer); }
    const Square& P(int layer) const { return P_[stored(layer)]; }
    const Square& Q(int layer) const { return Q_[stored(layer)]; }

    // S becomes act(S).
    void activate(Attention& S) const {
        const auto normalise = [](auto&& scores) {
            scores = (scores.array() - scores.maxCoeff()).exp().matrix().eval();
            scores /= scores.sum();
        };
        if (activation_ == Activation::softmax)
            for (Eigen::Index i = 0; i < S.rows(); ++i) normalise(S.row(i));
        if (activation_ == Activation::softmax_columns)
            for (Eigen::Index j = 0; j < S.cols(); ++j) normalise(S.col(j));
        if (activation_ == Activation::relu) S = S.cwiseMax(Scalar(0));
        if (activation_ == Activation::elu) S = S.unaryExpr([](Scalar s) { return s > Scalar(0) ? s : std::expm1(s); });
        if (activation_ == Activation::tanh) S = S.array().tanh().matrix();
    }

    std::vector<Square> P_, Q_;
    int layers_;
    Activation activation_;
    std::vector<Step> steps_;
    Prompt Z_;
    Attention M_;
};

template <class Scalar, int Rows, int Columns>
auto NaiveAttention<Scalar, Rows, Columns>::forward(const Prompt& Z0) -> const Prompt& {
    const Scalar inverse_n = Scalar(1) / static_cast<Scalar>(Z0.cols() - 1);
    Z_ = Z0;
    for (int l = 0; l < layers_; ++l) {
        Step& step = steps_[l];
        step.Z = Z_;
        step.QZ.noalias() = Q(l) * Z_;
        step.A.noalias() = Z_.transpose() * step.QZ;
        activate(step.A);
        const auto n = step.A.rows() - 1;  // M removes the query's row
        if (M_.size() > 0)
            step.X.noalias() = (Z_ * M_) * step.A;
        else
            step.X.noalias() = Z_.template leftCols<kContext>(n) * step.A.template topRows<kContext>(n);
        Z_.noalias() += inverse_n * (P(l) * step.X);
    }
    return Z_;
}

}  // namespace emergence
