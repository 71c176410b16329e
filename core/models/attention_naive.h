#pragma once
// The transformer exactly as the paper writes it, with n x n attention: the reference for faster forms in
// tests (double) and benchmarks (float, fixed sizes).
//
//     Z_{l+1} = Z_l + (1/n) P_l Z_l M act(Z_l' Q_l Z_l),   M = diag(1, .., 1, 0)
//
// Eq. (3), Wang et al. 2025, for the identity; Appendix E for softmax.

#include <cmath>
#include <vector>

#include "core/base/linear_algebra.h"
#include "core/models/network_windows.h"

namespace emergence {

/// Forward and backward pass of one prompt. Rows and Columns may be Eigen::Dynamic; fixed sizes allocate
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

    /// After forward(): adds `scale` times the gradient of Z_L[D, n+1], which is minus the value, to dP and
    /// dQ, one per stored layer.
    void backward(Scalar scale, std::vector<Square>& dP, std::vector<Square>& dQ);

    /// After backward(): the gradient of `scale` Z_L[D, n+1] by Z_0, D x (n+1).
    const Prompt& prompt_gradient() const { return dZ_; }

  private:
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
        switch (activation_) {
            case Activation::identity:
                break;
            case Activation::softmax:
                for (Eigen::Index i = 0; i < S.rows(); ++i) {
                    S.row(i) = (S.row(i).array() - S.row(i).maxCoeff()).exp().matrix().eval();
                    S.row(i) /= S.row(i).sum();
                }
                break;
            case Activation::softmax_columns:
                for (Eigen::Index j = 0; j < S.cols(); ++j) {
                    S.col(j) = (S.col(j).array() - S.col(j).maxCoeff()).exp().matrix().eval();
                    S.col(j) /= S.col(j).sum();
                }
                break;
            case Activation::relu:
                S = S.cwiseMax(Scalar(0));
                break;
            case Activation::elu:
                S = S.unaryExpr([](Scalar s) { return s > Scalar(0) ? s : std::expm1(s); });
                break;
            case Activation::tanh:
                S = S.array().tanh().matrix();
                break;
        }
    }

    // dA becomes dS, for A = act(S):
    //
    //     softmax  dS = A (dA - <A, dA>)
    //     ReLU     dS = dA where A > 0, else 0
    //     ELU      dS = dA where A > 0, else (A + 1) dA
    //     tanh     dS = (1 - A^2) dA
    void through_activation(const Attention& A, Attention& dA) const {
        switch (activation_) {
            case Activation::identity:
                break;
            case Activation::softmax:
                for (Eigen::Index i = 0; i < A.rows(); ++i) {
                    const Scalar mean = A.row(i).dot(dA.row(i));
                    dA.row(i) = (A.row(i).array() * (dA.row(i).array() - mean)).matrix().eval();
                }
                break;
            case Activation::softmax_columns:
                for (Eigen::Index j = 0; j < A.cols(); ++j) {
                    const Scalar mean = A.col(j).dot(dA.col(j));
                    dA.col(j) = (A.col(j).array() * (dA.col(j).array() - mean)).matrix().eval();
                }
                break;
            case Activation::relu:
                dA = (A.array() > Scalar(0)).select(dA, Scalar(0));
                break;
            case Activation::elu:
                dA = (A.array() > Scalar(0)).select(dA, (dA.array() * (A.array() + Scalar(1))).matrix());
                break;
            case Activation::tanh:
                dA.array() *= Scalar(1) - A.array().square();
                break;
        }
    }

    std::vector<Square> P_, Q_;
    int layers_;
    Activation activation_;
    std::vector<Step> steps_;
    Prompt Z_, dZ_, dX_, dQZ_;
    Attention dS_, M_;
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

template <class Scalar, int Rows, int Columns>
void NaiveAttention<Scalar, Rows, Columns>::backward(Scalar scale, std::vector<Square>& dP, std::vector<Square>& dQ) {
    const auto n = Z_.cols() - 1;
    const Scalar inverse_n = Scalar(1) / static_cast<Scalar>(n);
    dZ_.setZero(Z_.rows(), Z_.cols());
    dZ_(Z_.rows() - 1, Z_.cols() - 1) = scale;
    for (int l = layers_ - 1; l >= 0; --l) {
        const Step& step = steps_[l];
        // Z_{l+1} = Z + (1/n) P X
        dP[stored(l)].noalias() += inverse_n * (dZ_ * step.X.transpose());
        dX_.noalias() = inverse_n * (P(l).transpose() * dZ_);
        // X = Z M A
        dS_.noalias() = step.Z.transpose() * dX_;
        if (M_.size() > 0) {
            dS_ = (M_.transpose() * dS_).eval();
            dZ_.noalias() += (dX_ * step.A.transpose()) * M_.transpose();
        } else {
            dS_.row(n).setZero();
            dZ_.template leftCols<kContext>(n).noalias() += dX_ * step.A.template topRows<kContext>(n).transpose();
        }
        // A = act(S)
        through_activation(step.A, dS_);
        // S = Z' (Q Z)
        dQZ_.noalias() = step.Z * dS_;
        dQ[stored(l)].noalias() += dQZ_ * step.Z.transpose();
        dZ_.noalias() += step.QZ * dS_.transpose();
        dZ_.noalias() += Q(l).transpose() * dQZ_;
    }
}

// Compiled once, in evaluate_prompts.cpp.
extern template class NaiveAttention<double>;

}  // namespace emergence
