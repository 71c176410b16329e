#pragma once
// The linear-attention transformer exactly as the paper writes it, n by n: the reference that the Gram form
// is held against, in tests (double) and in the benchmark (float, fixed sizes).
//
//     Z_{l+1} = Z_l + (1/n) P_l Z_l M (Z_l' Q_l Z_l),   M = diag(1, .., 1, 0)      Eq. (3), Wang et al. 2025

#include <vector>

#include "core/base/eigen.h"

namespace emergence {

/// Forward and backward pass of one prompt. Rows and Columns may be Eigen::Dynamic; with fixed sizes nothing
/// is allocated after the first forward pass.
template <class Scalar, int Rows = Eigen::Dynamic, int Columns = Eigen::Dynamic>
class NaiveLinearAttention {
  public:
    using Square = Eigen::Matrix<Scalar, Rows, Rows>;
    using Prompt = Eigen::Matrix<Scalar, Rows, Columns>;
    using Attention = Eigen::Matrix<Scalar, Columns, Columns>;

    /// P, Q: one layer each, or one pair that every layer shares.
    NaiveLinearAttention(std::vector<Square> P, std::vector<Square> Q, int layers)
        : P_(std::move(P)), Q_(std::move(Q)), layers_(layers), steps_(static_cast<size_t>(layers)) {}

    /// New values for one stored layer.
    void set_weights(size_t layer, const Square& P, const Square& Q) {
        P_[layer] = P;
        Q_[layer] = Q;
    }

    /// Z_L, D x (n+1). n is the number of columns less one.
    const Prompt& forward(const Prompt& Z0) {
        const Scalar inverse_n = Scalar(1) / static_cast<Scalar>(Z0.cols() - 1);
        Z_ = Z0;
        for (int l = 0; l < layers_; ++l) {
            Step& step = steps_[static_cast<size_t>(l)];
            step.Z = Z_;
            step.QZ.noalias() = Q(l) * Z_;
            step.K.noalias() = Z_.transpose() * step.QZ;
            step.K.row(step.K.rows() - 1).setZero();  // M
            step.X.noalias() = Z_ * step.K;
            Z_.noalias() += inverse_n * (P(l) * step.X);
        }
        return Z_;
    }

    /// The value of the query: minus the bottom-right entry of Z_L, Eq. (4).
    Scalar value() const { return -Z_(Z_.rows() - 1, Z_.cols() - 1); }

    /// Adds `scale` times the gradient of Z_L[D, n+1] to dP and dQ (as many as there are stored layers),
    /// after forward().
    void backward(Scalar scale, std::vector<Square>& dP, std::vector<Square>& dQ) {
        const Scalar inverse_n = Scalar(1) / static_cast<Scalar>(Z_.cols() - 1);
        dZ_.setZero(Z_.rows(), Z_.cols());
        dZ_(Z_.rows() - 1, Z_.cols() - 1) = scale;
        for (int l = layers_ - 1; l >= 0; --l) {
            const Step& step = steps_[static_cast<size_t>(l)];
            // Z_{l+1} = Z + (1/n) P X
            dP[stored(l)].noalias() += inverse_n * (dZ_ * step.X.transpose());
            dX_.noalias() = inverse_n * (P(l).transpose() * dZ_);
            // X = Z K
            dK_.noalias() = step.Z.transpose() * dX_;
            dK_.row(dK_.rows() - 1).setZero();
            dZ_.noalias() += dX_ * step.K.transpose();
            // K = M Z' (Q Z)
            dQZ_.noalias() = step.Z * dK_;
            dQ[stored(l)].noalias() += dQZ_ * step.Z.transpose();
            dZ_.noalias() += step.QZ * dK_.transpose();
            dZ_.noalias() += Q(l).transpose() * dQZ_;
        }
    }

    /// The gradient of `scale` Z_L[D, n+1] with respect to Z_0, left by backward().
    const Prompt& prompt_gradient() const { return dZ_; }

  private:
    struct Step {
        Prompt Z, QZ, X;
        Attention K;
    };
    size_t stored(int layer) const { return P_.size() == 1 ? 0 : static_cast<size_t>(layer); }
    const Square& P(int layer) const { return P_[stored(layer)]; }
    const Square& Q(int layer) const { return Q_[stored(layer)]; }

    std::vector<Square> P_, Q_;
    int layers_;
    std::vector<Step> steps_;
    Prompt Z_, dZ_, dX_, dQZ_;
    Attention dK_;
};

}  // namespace emergence
