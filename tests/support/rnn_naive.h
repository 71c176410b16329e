#pragma once
// The recurrent network of Appendix G, Wang et al. 2025, token by token: the reference for the lane form.
//
//     a_{t+1}^(l) = act(W_ax^(l) x_t^(l) + W_aa^(l) a_t^(l) + b_a^(l)),   a_0 = 0,   x_t^(l) = a_{t+1}^(l-1)
//     value = W_o a^(L-1) after the last token
//
// The tokens are the prompt's columns with one more row, a flag of the query: (2d+2) x (n+1). The paper writes
// x_t^(l) = a_t^(l-1), which would hide the last token from the upper layers; like every implementation, we
// feed a layer the state that the layer below has at the same token.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/eigen.h"
#include "core/models/network_windows.h"

namespace emergence {

/// The weights of one layer, or their gradient.
template <class Scalar>
struct RnnLayer {
    using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
    using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
    Matrix W_ax;  // h x inputs
    Matrix W_aa;  // h x h
    Vector b_a;   // h
};

/// All weights, or their gradient. W_o: h.
template <class Scalar>
struct RnnWeights {
    using Matrix = typename RnnLayer<Scalar>::Matrix;
    using Vector = typename RnnLayer<Scalar>::Vector;

    /// Zeros.
    explicit RnnWeights(const NetworkShape& shape) : W_o(Vector::Zero(shape.width)) {
        const int h = shape.width;
        for (int l = 0; l < shape.layers; ++l)
            layers.push_back({Matrix::Zero(h, l == 0 ? shape.rows() : h), Matrix::Zero(h, h), Vector(Vector::Zero(h))});
    }
    /// Calls visit(matrix) for all of them, in the order of flat weights.
    template <class Visit>
    void each(const Visit& visit) {
        for (RnnLayer<Scalar>& layer : layers) {
            visit(layer.W_ax);
            visit(layer.W_aa);
            visit(layer.b_a);
        }
        visit(W_o);
    }

    std::vector<RnnLayer<Scalar>> layers;
    Vector W_o;
};

/// Forward and backward passes of one prompt.
template <class Scalar>
class NaiveRnn {
  public:
    using Matrix = typename RnnLayer<Scalar>::Matrix;
    using Vector = typename RnnLayer<Scalar>::Vector;

    /// activation: tanh, relu or identity.
    explicit NaiveRnn(RnnWeights<Scalar> weights, Activation activation = Activation::tanh)
        : weights_(std::move(weights)), activation_(activation) {}

    /// The value of the last token. tokens: inputs x steps.
    Scalar forward(const Matrix& tokens);

    /// After forward(): adds `scale` times the value's gradient by the weights to `gradient`, and returns `scale`
    /// times its gradient by the tokens, inputs x steps.
    Matrix backward(Scalar scale, RnnWeights<Scalar>& gradient) const;

  private:
    // act(u), and act'(u) from a = act(u).
    Scalar act(Scalar u) const {
        if (activation_ == Activation::identity) return u;
        return activation_ == Activation::relu ? std::max(u, Scalar(0)) : std::tanh(u);
    }
    Scalar slope(Scalar a) const {
        if (activation_ == Activation::identity) return 1;
        return activation_ == Activation::relu ? Scalar(a > 0) : 1 - a * a;
    }

    RnnWeights<Scalar> weights_;
    Activation activation_;
    Matrix tokens_;
    std::vector<Matrix> states_;  // [layer]: h x steps
};

template <class Scalar>
auto NaiveRnn<Scalar>::forward(const Matrix& tokens) -> Scalar {
    tokens_ = tokens;
    states_.clear();
    const Matrix* input = &tokens_;
    for (const RnnLayer<Scalar>& layer : weights_.layers) {
        Matrix states(layer.W_aa.rows(), tokens.cols());
        Vector before = Vector::Zero(layer.W_aa.rows());
        for (Eigen::Index t = 0; t < tokens.cols(); ++t) {
            before = (layer.W_ax * input->col(t) + layer.W_aa * before + layer.b_a)
                         .unaryExpr([this](Scalar u) { return act(u); })
                         .eval();
            states.col(t) = before;
        }
        states_.push_back(std::move(states));
        if (states_.size() < weights_.layers.size()) input = &states_.back();
    }
    return weights_.W_o.dot(states_.back().col(tokens.cols() - 1));
}

template <class Scalar>
auto NaiveRnn<Scalar>::backward(Scalar scale, RnnWeights<Scalar>& gradient) const -> Matrix {
    const Eigen::Index steps = tokens_.cols();
    // The gradient by the states of layer l that comes from the layers above.
    Matrix dstates = Matrix::Zero(states_.back().rows(), steps);
    dstates.col(steps - 1) = scale * weights_.W_o;
    gradient.W_o += scale * states_.back().col(steps - 1);
    for (size_t l = weights_.layers.size(); l-- > 0;) {
        const RnnLayer<Scalar>& layer = weights_.layers[l];
        RnnLayer<Scalar>& dlayer = gradient.layers[l];
        const Matrix& input = l == 0 ? tokens_ : states_[l - 1];
        const Matrix& states = states_[l];
        Matrix dinput(input.rows(), steps);
        Vector carried = Vector::Zero(states.rows());
        for (Eigen::Index t = steps - 1; t >= 0; --t) {
            const Vector slopes = states.col(t).unaryExpr([this](Scalar a) { return slope(a); });
            const Vector du = (dstates.col(t) + carried).cwiseProduct(slopes);
            // u = W_ax x + W_aa a_before + b
            dlayer.W_ax += du * input.col(t).transpose();
            dlayer.b_a += du;
            if (t > 0) dlayer.W_aa += du * states.col(t - 1).transpose();
            dinput.col(t) = layer.W_ax.transpose() * du;
            carried = layer.W_aa.transpose() * du;
        }
        dstates = std::move(dinput);
    }
    return dstates;
}

}  // namespace emergence
