#pragma once
// What networks in lanes are made of: activations, the tape of attention, and the recurrent network.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/lanes.h"
#include "core/models/lane_products.h"
#include "core/models/network_windows.h"

namespace emergence::EMERGENCE_LANES {

/// s becomes exp(s - max s). Returns the inverse of its sum.
template <class T>
Lanes<T> exponentials(Lanes<T>* s, int count, int step) {
    using L = Lanes<T>;
    L most = s[0];
    for (int i = 1; i < count; ++i) most = max(most, s[i * step]);
    L sum = zero_lanes<T>();
    for (int i = 0; i < count; ++i) {
        s[i * step] = exp(s[i * step] - most);
        sum = sum + s[i * step];
    }
    return L::broadcast(T(1)) / sum;
}
/// s becomes act(s), for `count` entries `step` apart.
template <class T>
void activate(Activation activation, Lanes<T>* s, int count, int step) {
    using L = Lanes<T>;
    const L none = zero_lanes<T>();  // first argument of max and min, so that NaN stays NaN
    const auto each = [&](const auto& of) {
        for (int i = 0; i < count; ++i) s[i * step] = of(s[i * step]);
    };
    if (activation == Activation::relu) each([&](const L& x) { return max(none, x); });
    if (activation == Activation::elu) each([&](const L& x) { return where_positive(x, x, expm1(min(none, x))); });
    if (activation == Activation::tanh) each([](const L& x) { return tanh(x); });
    if (activation != Activation::softmax_columns) return;
    const L inverse = exponentials(s, count, step);
    each([&](const L& x) { return x * inverse; });
}

/// Everything that the backward pass needs from a forward pass of kLanes prompts.
template <class T>
class AttentionTape {
    using L = Lanes<T>;

  public:
    struct Layer {
        L *Z, *QZ, *Y;  // (n+1) x D each, column after column
        L* E;           // (n+1) x (n+1), row-major; the backward pass replaces it by dS
        L* c;           // n+1
    };

    explicit AttentionTape(const NetworkShape& shape) {
        const int columns = shape.columns(), vectors = shape.rows() * columns, scores = columns * columns;
        store_.resize(static_cast<size_t>(shape.layers) * (3 * vectors + scores + columns));
        L* next = store_.data();
        const auto take = [&next](int count) { return std::exchange(next, next + count); };
        for (int l = 0; l < shape.layers; ++l)
            layers_.push_back({take(vectors), take(vectors), take(vectors), take(scores), take(columns)});
    }

    AttentionTape(AttentionTape&&) = default;  // not copied: layers point into the store

    /// The prompt; fill it before forward(). Entry (k, j) of Z_0 is prompt()[j * D + k].
    L* prompt() { return layers_[0].Z; }
    const Layer& operator[](int layer) const { return layers_[layer]; }

  private:
    std::vector<L> store_;
    std::vector<Layer> layers_;
};

// The recurrent network of Appendix G, Wang et al. 2025, one prompt per lane. Layer by layer, where the input x_t
// of layer l > 0 is the state a_t of layer l - 1:
//
//     u_t = W_ax x_t + W_aa a_{t-1} + b_a,   a_t = act(u_t)
//     value = W_o a_{n+1} of the last layer, after the query's token
//
// and backwards, from the last token to the first:
//
//     du_t = da_t act'(u_t),   da_{t-1} += W_aa' du_t,   dx_t = W_ax' du_t
//
// act is tanh, with act' = 1 - a_t^2, or for comparison ReLU or the identity.

/// Everything that the backward pass needs from a forward pass of kLanes prompts.
template <class T>
class RnnTape {
    using L = Lanes<T>;

  public:
    explicit RnnTape(const NetworkShape& shape)
        : tokens_(shape.rows() * shape.columns()),
          layer_size_(shape.width * shape.columns()),
          states_(shape.layers * layer_size_) {}

    /// The prompt; fill it before forward(). Entry k of token t is prompt()[t * rows + k].
    L* prompt() { return tokens_.data(); }
    /// The states of a layer, (n+1) x h.
    L* states(int layer) { return states_.data() + layer * layer_size_; }
    /// The input of a layer, (n+1) x its number of inputs.
    L* inputs(int layer) { return layer == 0 ? prompt() : states(layer - 1); }

  private:
    std::vector<L> tokens_;
    size_t layer_size_;
    std::vector<L> states_;
};

/// The network itself.
template <class T>
class RnnNetwork {
    using L = Lanes<T>;

  public:
    using Tape = RnnTape<T>;

    explicit RnnNetwork(const NetworkShape& shape) : shape_(shape) {}

    /// weights: per layer W_ax (h x inputs), W_aa (h x h), b_a (h), then W_o (h), row-major. They must outlive the
    /// last pass.
    void set_weights(const T* weights) { weights_ = weights; }

    /// The value of each lane's prompt in the tape.
    L forward(Tape& tape) const {
        for (int l = 0; l < shape_.layers; ++l) forward_layer(l, tape.inputs(l), tape.states(l));
        const L* last = tape.states(shape_.layers - 1) + (steps_ - 1) * h_;
        L value = zero_lanes<T>();
        for (int i = 0; i < h_; ++i) value = fma(L::broadcast(weights_[output_offset() + i]), last[i], value);
        return value;
    }

    /// Adds the gradient of the sum over lanes of by_value * value for the tape's last forward(). gradient: laid
    /// out as the weights, or null; query_gradient: d entries, by the query's features, or null.
    void backward(Tape& tape, const L& by_value, L* gradient, L* query_gradient) {
        L* last = tape.states(shape_.layers - 1) + (steps_ - 1) * h_;
        std::fill(dstates_.begin(), dstates_.end(), zero_lanes<T>());
        for (int i = 0; i < h_; ++i) {
            dstates_[(steps_ - 1) * h_ + i] = by_value * L::broadcast(weights_[output_offset() + i]);
            if (gradient) {
                L& sum = gradient[output_offset() + i];
                sum = fma(by_value, last[i], sum);
            }
        }
        for (int l = shape_.layers - 1; l >= 0; --l) {
            backward_states(l, tape.states(l));
            if (gradient) add_gradient(l, tape.inputs(l), tape.states(l), gradient + offset(l));
            if (l > 0)
                through_inputs(l, 0, steps_, h_, dstates_.data());
            else if (query_gradient)
                through_inputs(0, steps_ - 1, steps_, shape_.d, query_gradient);
        }
    }

  private:
    int inputs(int layer) const { return layer == 0 ? shape_.rows() : h_; }
    // The offset of a layer's weights: W_ax, then W_aa, then b_a.
    int offset(int layer) const {
        return layer == 0 ? 0 : h_ * (shape_.rows() + h_ + 1) + (layer - 1) * h_ * (2 * h_ + 1);
    }
    int output_offset() const { return offset(shape_.layers); }
    const T* W_ax(int layer) const { return weights_ + offset(layer); }
    const T* W_aa(int layer) const { return W_ax(layer) + h_ * inputs(layer); }
    const T* b_a(int layer) const { return W_aa(layer) + h_ * h_; }

    // Calls finish(i, start(i) + sum_k matrix(i, k) x_k) for i < rows.
    template <class Matrix, class Start, class Finish>
    EMERGENCE_INLINE static void product(int rows, int inner, const Matrix& matrix, const L* x, const Start& start,
                                         const Finish& finish) {
        multiply_rectangle<T, kBlockRows == 1 ? 1 : 4, 1>(
            rows, 1, Extent<0>(inner), [&](int i, int k) { return L::broadcast(matrix(i, k)); },
            [&](int k, int) { return x[k]; }, [&](int i, int) { return start(i); },
            [&](int i, int, const L& sum) { finish(i, sum); });
    }

    void forward_layer(int layer, const L* in, L* states) const {
        const T *ax = W_ax(layer), *aa = W_aa(layer), *bias = b_a(layer);
        const int count = inputs(layer);
        const auto biased = [&](int i) { return L::broadcast(bias[i]); };
        for (int t = 0; t < steps_; ++t) {
            L* a = states + t * h_;
            product(
                h_, count, [&](int i, int k) { return ax[i * count + k]; }, in + t * count, biased,
                [&](int i, const L& u) { a[i] = u; });
            if (t > 0)
                product(
                    h_, h_, [&](int i, int k) { return aa[i * h_ + k]; }, a - h_, [&](int i) { return a[i]; },
                    [&](int i, const L& u) { a[i] = u; });
            activate(shape_.recurrent, a, h_, 1);
        }
    }

    // du of a unit from its state and da.
    EMERGENCE_INLINE L through_unit(const L& a, const L& da) const {
        if (shape_.recurrent == Activation::identity) return da;
        if (shape_.recurrent == Activation::relu) return where_positive(a, da, zero_lanes<T>());
        return da * fma(zero_lanes<T>() - a, a, L::broadcast(T(1)));
    }

    // du for every token, from dstates_.
    void backward_states(int layer, const L* states) {
        const T* aa = W_aa(layer);
        const L none = zero_lanes<T>();
        std::fill(carried_.begin(), carried_.end(), none);
        for (int t = steps_ - 1; t >= 0; --t) {
            const L* a = states + t * h_;
            L* du = du_.data() + t * h_;
            for (int i = 0; i < h_; ++i) du[i] = through_unit(a[i], dstates_[t * h_ + i] + carried_[i]);
            product(
                h_, h_, [&](int i, int k) { return aa[k * h_ + i]; }, du, [&](int) { return none; },
                [&](int i, const L& sum) { carried_[i] = sum; });
        }
    }

    // sums(i, k) += sum over t of du(first + t, i) x(t, k)
    void outer(const L* x, int count, int first, L* sums) const {
        const L* du = du_.data() + first * h_;
        multiply_rectangle<T, kBlockRows, kBlockColumns>(
            h_, count, Extent<0>(steps_ - first), [&](int i, int t) { return du[t * h_ + i]; },
            [&](int t, int k) { return x[t * count + k]; }, [&](int i, int k) { return sums[i * count + k]; },
            [&](int i, int k, const L& sum) { sums[i * count + k] = sum; });
    }
    void add_gradient(int layer, const L* in, const L* states, L* gradient) const {
        const int count = inputs(layer);
        L *d_aa = gradient + h_ * count, *db = d_aa + h_ * h_;
        outer(in, count, 0, gradient);
        outer(states, h_, 1, d_aa);  // token t has seen the state of token t - 1
        for (int t = 0; t < steps_; ++t)
            for (int i = 0; i < h_; ++i) db[i] = db[i] + du_[t * h_ + i];
    }

    // The gradient by the first `count` inputs of tokens `begin` .. `end` - 1, from du_.
    void through_inputs(int layer, int begin, int end, int count, L* target) const {
        const T* ax = W_ax(layer);
        const int all = inputs(layer);
        for (int t = begin; t < end; ++t)
            product(
                count, h_, [&](int k, int i) { return ax[i * all + k]; }, du_.data() + t * h_,
                [](int) { return zero_lanes<T>(); },
                [&](int k, const L& sum) { target[(t - begin) * count + k] = sum; });
    }

    NetworkShape shape_;
    int h_ = shape_.width, steps_ = shape_.columns();
    const T* weights_ = nullptr;
    std::vector<L> du_ = std::vector<L>(h_ * steps_), dstates_ = du_;  // (n+1) x h
    std::vector<L> carried_ = std::vector<L>(h_);
};

}  // namespace emergence::EMERGENCE_LANES
