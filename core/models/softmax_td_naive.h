#pragma once
// The trained transformer exactly as the softmax paper writes it, with n x n attention, forward and backward: the
// reference for the fast path in tests (double) and benchmarks (float, fixed sizes). Eqs. (4), (23), (104):
//
//     K = (1 - xi) softmax(Z' Q Z / T) + xi I
//     Zt = Z + P Z K
//     Z_next = Zt, but row d+2 of Z_next = gamma times row d+3 of Zt, shifted to the left
//
// The query's row is masked; its column of K is the softmax alone.

#include <vector>

#include "core/base/linear_algebra.h"

namespace emergence {

/// Forward and backward passes of one prompt; all layers have the same weights. Rows (D = d+3) and Columns (n+1)
/// may be Eigen::Dynamic; fixed sizes allocate nothing after the first pass.
template <class Scalar, int Rows = Eigen::Dynamic, int Columns = Eigen::Dynamic>
class NaiveSoftmaxTd {
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

template <class Scalar, int Rows, int Columns>
void NaiveSoftmaxTd<Scalar, Rows, Columns>::backward(Scalar scale, Square& dP, Square& dQ) {
    const auto n = Z_.cols() - 1, D = Z_.rows();
    dZ_.setZero(D, n + 1);
    dZ_(D - 1, n) = scale;
    for (size_t l = steps_.size(); l-- > 0;) {
        const Step& step = steps_[l];
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

// Compiled once, in naive_networks.cpp.
extern template class NaiveSoftmaxTd<double>;

}  // namespace emergence
