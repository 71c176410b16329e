#pragma once
// The causal transformer in plain matrices, one column per round: the reference for the fast path. Formulas:
// causal_transformer.h.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/base/eigen.h"
#include "core/models/causal_transformer.h"

namespace emergence {

/// Forward and backward pass of one trajectory.
template <class T>
class NaiveCausalTransformer {
  public:
    using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
    using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

    NaiveCausalTransformer(const CausalTransformerShape& shape, const std::vector<T>& weights)
        : shape_(shape), at_(shape), weights_(weights), gradient_(weights.size(), T(0)) {}

    std::vector<T>& weights() { return weights_; }
    /// The sum of all backward() calls, flat as the weights.
    const std::vector<T>& gradient() const { return gradient_; }

    /// The logits, A x rounds.
    const Matrix& forward(const BanditHistory<T>& trajectory);

    /// Adds the gradient for the last forward pass; by_logits: A x rounds.
    void backward(const Matrix& by_logits);

    /// Returns the sum over rounds of -log softmax(logits)[label] and adds its gradient.
    T add_cross_entropy(const BanditHistory<T>& trajectory);

    /// rounds x rounds: column i holds the attention of round i to rounds j <= i.
    const Matrix& attention(int layer, int head) const { return tape_[layer].weights[head]; }

  private:
    using Flat = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

    struct LayerNorm {
        Matrix scaled, out;
        Vector inverse;  // 1 / standard deviation, per round

        void forward(const Matrix& h, const Eigen::Ref<const Vector>& gain, const Eigen::Ref<const Vector>& bias) {
            scaled = h.rowwise() - h.colwise().mean();
            inverse =
                ((scaled.colwise().squaredNorm() / static_cast<T>(h.rows())).array() + static_cast<T>(kNormEpsilon))
                    .rsqrt()
                    .transpose();
            scaled = scaled * inverse.asDiagonal();
            out = gain.asDiagonal() * scaled;
            out.colwise() += bias;
        }
        // scaled = (h - mean(h)) inverse, so
        //
        //     dh = inverse (dscaled - mean(dscaled) - scaled mean(scaled dscaled))
        Matrix backward(const Matrix& by_out, const Eigen::Ref<const Vector>& gain, Eigen::Ref<Vector> by_gain,
                        Eigen::Ref<Vector> by_bias) const {
            by_gain += by_out.cwiseProduct(scaled).rowwise().sum();
            by_bias += by_out.rowwise().sum();
            Matrix d = gain.asDiagonal() * by_out;
            const Vector along = (d.cwiseProduct(scaled).colwise().mean()).transpose();
            d = (d.rowwise() - d.colwise().mean()).eval();
            d -= scaled * along.asDiagonal();
            return d * inverse.asDiagonal();
        }
    };

    struct LayerTape {
        LayerNorm norm1, norm2;
        Matrix q, k, v, heads, hidden;
        std::vector<Matrix> weights;  // per head: rounds x rounds, column i normalised
    };

    Eigen::Map<const Flat> weight(size_t offset, Eigen::Index rows, Eigen::Index columns) const {
        return {weights_.data() + offset, rows, columns};
    }
    Eigen::Map<Flat> grad(size_t offset, Eigen::Index rows, Eigen::Index columns) {
        return {gradient_.data() + offset, rows, columns};
    }
    Eigen::Map<const Vector> vector(size_t offset, Eigen::Index size) const { return {weights_.data() + offset, size}; }
    Eigen::Map<Vector> grad_vector(size_t offset, Eigen::Index size) { return {gradient_.data() + offset, size}; }

    Matrix tokens_of(const BanditHistory<T>& trajectory) const {
        const int arms = shape_.arms, d = shape_.d;
        Matrix tokens = Matrix::Zero(shape_.features(), trajectory.rounds);
        for (int t = 0; t < trajectory.rounds; ++t) {
            auto f = tokens.col(t);
            if (t > 0) {
                const int a = trajectory.arms[t - 1];
                const T r = trajectory.rewards[t - 1] * static_cast<T>(kRewardScale);
                const Eigen::Map<const Vector> x(trajectory.actions + a * d, d);
                f[a] = 1;
                f[arms + a] = r;
                f[2 * arms] = r;
                f.segment(2 * arms + 1, d) = x;
                f.segment(2 * arms + 1 + d, d) = r * x;
            }
            for (int p = 0; p < kPeriods; ++p) {
                const double period = 6.0 * std::pow(100.0, static_cast<double>(p) / (kPeriods - 1));
                const double angle = 2.0 * std::numbers::pi * t / period;
                f[2 * arms + 1 + 2 * d + 2 * p] = static_cast<T>(std::sin(angle));
                f[2 * arms + 1 + 2 * d + 2 * p + 1] = static_cast<T>(std::cos(angle));
            }
        }
        return tokens;
    }

    bool is_relu() const { return shape_.attention == CausalAttention::relu; }
    T score_scale() const { return is_relu() ? T(1) : T(1) / std::sqrt(static_cast<T>(shape_.head_width())); }

    // scores(j, i) = k_j' q_i; column i of the result is normalised over j <= i.
    Matrix attention_weights(const Matrix& scores) const {
        Matrix a = Matrix::Zero(scores.rows(), scores.cols());
        for (Eigen::Index i = 0; i < scores.cols(); ++i) {
            const auto past = scores.col(i).head(i + 1);
            if (is_relu()) {
                a.col(i).head(i + 1) = past.cwiseMax(T(0)) / static_cast<T>(i + 1);
                continue;
            }
            a.col(i).head(i + 1) = (score_scale() * (past.array() - past.maxCoeff())).exp();
            a.col(i) /= a.col(i).sum();
        }
        return a;
    }
    // The gradient by the scores, from a = attention_weights(scores) and the gradient by a.
    Matrix by_scores(const Matrix& a, const Matrix& by_a) const {
        Matrix d = Matrix::Zero(a.rows(), a.cols());
        for (Eigen::Index i = 0; i < a.cols(); ++i)
            for (Eigen::Index j = 0; j <= i; ++j)
                d(j, i) = is_relu() ? (a(j, i) > T(0) ? by_a(j, i) / static_cast<T>(i + 1) : T(0))
                                    : score_scale() * a(j, i) * (by_a(j, i) - a.col(i).dot(by_a.col(i)));
        return d;
    }

    Matrix forward_layer(int l, const Matrix& h) {
        const auto o = at_.layer(l);
        const int w = shape_.width, c = shape_.head_width();
        LayerTape& tape = tape_[l];
        tape.norm1.forward(h, vector(o.norm1_gain, w), vector(o.norm1_bias, w));
        tape.q = weight(o.W_q, w, w) * tape.norm1.out;
        tape.k = weight(o.W_k, w, w) * tape.norm1.out;
        tape.v = weight(o.W_v, w, w) * tape.norm1.out;
        tape.heads.resize(w, h.cols());
        tape.weights.clear();
        for (int m = 0; m < shape_.heads; ++m) {
            tape.weights.push_back(
                attention_weights(tape.k.middleRows(m * c, c).transpose() * tape.q.middleRows(m * c, c)));
            tape.heads.middleRows(m * c, c) = tape.v.middleRows(m * c, c) * tape.weights.back();
        }
        const Matrix middle = h + weight(o.W_o, w, w) * tape.heads;
        tape.norm2.forward(middle, vector(o.norm2_gain, w), vector(o.norm2_bias, w));
        tape.hidden = weight(o.W_1, shape_.hidden, w) * tape.norm2.out;
        tape.hidden.colwise() += vector(o.b_1, shape_.hidden);
        tape.hidden = tape.hidden.cwiseMax(T(0)).eval();
        Matrix out = middle + weight(o.W_2, w, shape_.hidden) * tape.hidden;
        out.colwise() += vector(o.b_2, w);
        return out;
    }

    Matrix backward_layer(int l, const Matrix& by_out) {
        const auto o = at_.layer(l);
        const int w = shape_.width;
        LayerTape& tape = tape_[l];
        grad(o.W_2, w, shape_.hidden) += by_out * tape.hidden.transpose();
        grad_vector(o.b_2, w) += by_out.rowwise().sum();
        Matrix by_hidden = weight(o.W_2, w, shape_.hidden).transpose() * by_out;
        by_hidden = (tape.hidden.array() > T(0)).select(by_hidden, T(0)).eval();
        grad(o.W_1, shape_.hidden, w) += by_hidden * tape.norm2.out.transpose();
        grad_vector(o.b_1, shape_.hidden) += by_hidden.rowwise().sum();
        const Matrix middle = by_out + tape.norm2.backward(weight(o.W_1, shape_.hidden, w).transpose() * by_hidden,
                                                           vector(o.norm2_gain, w), grad_vector(o.norm2_gain, w),
                                                           grad_vector(o.norm2_bias, w));
        grad(o.W_o, w, w) += middle * tape.heads.transpose();
        return middle + backward_attention(o, tape, weight(o.W_o, w, w).transpose() * middle);
    }

    Matrix backward_attention(const CausalTransformerOffsets::Layer& o, LayerTape& tape, const Matrix& by_heads) {
        const int w = shape_.width, c = shape_.head_width();
        Matrix dq(w, by_heads.cols()), dk = dq, dv = dq;
        for (int m = 0; m < shape_.heads; ++m) {
            const Matrix& a = tape.weights[m];
            const auto rows = by_heads.middleRows(m * c, c);
            const Matrix ds = by_scores(a, tape.v.middleRows(m * c, c).transpose() * rows);
            dv.middleRows(m * c, c) = rows * a.transpose();
            dq.middleRows(m * c, c) = tape.k.middleRows(m * c, c) * ds;
            dk.middleRows(m * c, c) = tape.q.middleRows(m * c, c) * ds.transpose();
        }
        grad(o.W_q, w, w) += dq * tape.norm1.out.transpose();
        grad(o.W_k, w, w) += dk * tape.norm1.out.transpose();
        grad(o.W_v, w, w) += dv * tape.norm1.out.transpose();
        return tape.norm1.backward(weight(o.W_q, w, w).transpose() * dq + weight(o.W_k, w, w).transpose() * dk +
                                       weight(o.W_v, w, w).transpose() * dv,
                                   vector(o.norm1_gain, w), grad_vector(o.norm1_gain, w), grad_vector(o.norm1_bias, w));
    }

    CausalTransformerShape shape_;
    CausalTransformerOffsets at_;
    std::vector<T> weights_, gradient_;
    std::vector<LayerTape> tape_;
    LayerNorm final_;
    Matrix tokens_, logits_;
    Vector actions_;
};

template <class T>
auto NaiveCausalTransformer<T>::forward(const BanditHistory<T>& trajectory) -> const Matrix& {
    tokens_ = tokens_of(trajectory);
    actions_ = Eigen::Map<const Vector>(trajectory.actions, shape_.arms * shape_.d);
    const Eigen::Index rounds = trajectory.rounds;
    Matrix h = weight(at_.W_token, shape_.width, shape_.features()) * tokens_ +
               weight(at_.positions, shape_.width, shape_.rounds).leftCols(rounds);
    h.colwise() += weight(at_.W_actions, shape_.width, shape_.arms * shape_.d) * actions_;
    tape_.assign(shape_.layers, {});
    for (int l = 0; l < shape_.layers; ++l) h = forward_layer(l, h);
    final_.forward(h, vector(at_.norm_gain, shape_.width), vector(at_.norm_bias, shape_.width));
    logits_ = weight(at_.W_out, shape_.arms, shape_.width) * final_.out;
    logits_.colwise() += vector(at_.b_out, shape_.arms);
    return logits_;
}

template <class T>
void NaiveCausalTransformer<T>::backward(const Matrix& by_logits) {
    grad(at_.W_out, shape_.arms, shape_.width) += by_logits * final_.out.transpose();
    grad_vector(at_.b_out, shape_.arms) += by_logits.rowwise().sum();
    Matrix dh = final_.backward(weight(at_.W_out, shape_.arms, shape_.width).transpose() * by_logits,
                                vector(at_.norm_gain, shape_.width), grad_vector(at_.norm_gain, shape_.width),
                                grad_vector(at_.norm_bias, shape_.width));
    for (int l = shape_.layers - 1; l >= 0; --l) dh = backward_layer(l, dh);
    grad(at_.W_token, shape_.width, shape_.features()) += dh * tokens_.transpose();
    grad(at_.W_actions, shape_.width, shape_.arms * shape_.d) += dh.rowwise().sum() * actions_.transpose();
    grad(at_.positions, shape_.width, shape_.rounds).leftCols(dh.cols()) += dh;
}

template <class T>
auto NaiveCausalTransformer<T>::add_cross_entropy(const BanditHistory<T>& trajectory) -> T {
    Matrix by_logits = forward(trajectory);
    T loss = 0;
    for (Eigen::Index t = 0; t < by_logits.cols(); ++t) {
        auto column = by_logits.col(t);
        const T label_logit = column[trajectory.labels[t]], largest = column.maxCoeff();
        column = (column.array() - largest).exp();
        const T sum = column.sum();
        column /= sum;
        column[trajectory.labels[t]] -= T(1);
        loss += std::log(sum) + largest - label_logit;
    }
    backward(by_logits);
    return loss;
}

// Compiled once, in bandit_train_measures.cpp.
extern template class NaiveCausalTransformer<double>;

}  // namespace emergence
