#pragma once
// Softmax TD in its naive form, and the backward passes of this form and of core/models/attention_naive.h.

#include <vector>

#include "core/models/attention_naive.h"
#include "core/models/softmax_td_layer.h"

namespace emergence {

/// The transformer of attention_naive.h, with gradients.
template <class Scalar, int Rows = Eigen::Dynamic, int Columns = Eigen::Dynamic>
class AttentionWithGradient : public NaiveAttention<Scalar, Rows, Columns> {
    using Base = NaiveAttention<Scalar, Rows, Columns>;

  public:
    using Base::Base;
    using typename Base::Attention, typename Base::Prompt, typename Base::Square;

    /// After forward(): adds `scale` times the gradient of Z_L[D, n+1], which is minus the value, to dP and
    /// dQ, one per stored layer.
    void backward(Scalar scale, std::vector<Square>& dP, std::vector<Square>& dQ);

    /// After backward(): the gradient of `scale` Z_L[D, n+1] by Z_0, D x (n+1).
    const Prompt& prompt_gradient() const { return dZ_; }

  private:
    using Base::activation_, Base::kContext, Base::layers_, Base::M_, Base::P, Base::Q, Base::steps_, Base::stored,
        Base::Z_;

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

    Prompt dZ_, dX_, dQZ_;
    Attention dS_;
};

template <class Scalar, int Rows, int Columns>
void AttentionWithGradient<Scalar, Rows, Columns>::backward(Scalar scale, std::vector<Square>& dP,
                                                            std::vector<Square>& dQ) {
    const auto n = Z_.cols() - 1;
    const Scalar inverse_n = Scalar(1) / static_cast<Scalar>(n);
    dZ_.setZero(Z_.rows(), Z_.cols());
    dZ_(Z_.rows() - 1, Z_.cols() - 1) = scale;
    for (int l = layers_ - 1; l >= 0; --l) {
        const auto& step = steps_[l];
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
class SoftmaxTdWithGradient {
    static constexpr int kContext = Columns == Eigen::Dynamic ? Eigen::Dynamic : Columns - 1;

  public:
    using Square = Eigen::Matrix<Scalar, Rows, Rows>;
    using Prompt = Eigen::Matrix<Scalar, Rows, Columns>;
    using Kernel = Eigen::Matrix<Scalar, kContext, Columns>;  // sources by rows

    struct Options {
        int layers = 1;
        Scalar gamma = Scalar(0.9), temperature = Scalar(1), mixing = Scalar(0);
    };

    explicit SoftmaxTdWithGradient(const Options& options) : options_(options), steps_(options.layers) {}

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

    /// After forward(): adds `scale` times the gradient of value() to dP and dQ, D x D each.
    void backward(Scalar scale, Square& dP, Square& dQ);

  private:
    struct Step {
        Prompt Z, QZ, X;
        Kernel A, K;
    };
    Options options_;
    Square P_, Q_;
    std::vector<Step> steps_;
    Prompt Z_, dZ_, dX_, dQZ_;
    Kernel dS_;
};

template <class Scalar, int Rows, int Columns>
auto SoftmaxTdWithGradient<Scalar, Rows, Columns>::forward(const Prompt& Z0) -> const Prompt& {
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

template <class Scalar, int Rows, int Columns>
void SoftmaxTdWithGradient<Scalar, Rows, Columns>::backward(Scalar scale, Square& dP, Square& dQ) {
    const auto n = Z_.cols() - 1, D = Z_.rows();
    dZ_.setZero(D, n + 1);
    dZ_(D - 1, n) = scale;
    for (size_t l = steps_.size(); l-- > 0;) {
        const auto& step = steps_[l];
        // Z(d+2, j) = gamma Zt(d+3, j+1); Zt's own row d+2 is overwritten
        for (Eigen::Index j = 0; j < n; ++j) dZ_(D - 1, j + 1) += options_.gamma * dZ_(D - 2, j);
        dZ_.row(D - 2).setZero();
        // Zt = Z + P X
        dP.noalias() += dZ_ * step.X.transpose();
        dX_.noalias() = P_.transpose() * dZ_;
        // X = Z K, K = (1 - xi) A + xi I
        dS_.noalias() = step.Z.template leftCols<kContext>(n).transpose() * dX_;
        dZ_.template leftCols<kContext>(n).noalias() += dX_ * step.K.transpose();
        if (options_.mixing != Scalar(0)) dS_.template leftCols<kContext>(n) *= Scalar(1) - options_.mixing;
        // A = softmax(S / T) by columns
        for (Eigen::Index j = 0; j <= n; ++j) {
            const Scalar mean = step.A.col(j).dot(dS_.col(j));
            dS_.col(j).array() = step.A.col(j).array() * (dS_.col(j).array() - mean) / options_.temperature;
        }
        // S = Z' (Q Z), sources without the query
        dQZ_.noalias() = step.Z.template leftCols<kContext>(n) * dS_;
        dQ.noalias() += dQZ_ * step.Z.transpose();
        dZ_.template leftCols<kContext>(n).noalias() += step.QZ * dS_.transpose();
        dZ_.noalias() += Q_.transpose() * dQZ_;
    }
}

}  // namespace emergence
