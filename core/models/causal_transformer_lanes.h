#pragma once
// The fast causal transformer: one trajectory at a time, rounds in lanes (formulas: causal_transformer.h).
// Rounds beyond the trajectory's end are padding: no real round attends to them, and their gradients are zero.

#include <cmath>

#include "core/models/causal_attention_lanes.h"

namespace emergence::EMERGENCE_LANES {

/// Row-wise and column-wise passes over rows x rounds arrays, whose rows are n apart.
template <class T>
struct RoundLanes {
    using L = Lanes<T>;
    int n;

    void add_column(T* x, int rows, const T* column) const {
        for (int r = 0; r < rows; ++r)
            for (int i = 0; i < n; i += kLanes) (L::load(x + r * n + i) + L::broadcast(column[r])).store(x + r * n + i);
    }
    /// A sum over rounds in virtual lanes: the same bits for every register width. add(sum, i) adds kLanes of them.
    template <class Add>
    T sum_rounds(const Add& add) const {
        L parts[kParts];
        for (L& part : parts) part = zero_lanes<T>();
        for (int i = 0; i < n; i += kVirtualLanes)
            for (int part = 0; part < kParts; ++part) parts[part] = add(parts[part], i + part * kLanes);
        return sum_lanes(parts);
    }
    T sum_row(const T* row) const {
        return sum_rounds([=](const L& sum, int i) { return sum + L::load(row + i); });
    }
    T sum_product(const T* a, const T* b) const {
        return sum_rounds([=](const L& sum, int i) { return fma(L::load(a + i), L::load(b + i), sum); });
    }
    void add_row_sums(const T* x, int rows, T* sums) const {
        for (int r = 0; r < rows; ++r) sums[r] += sum_row(x + r * n);
    }

    void norm(const T* h, int rows, const T* gain, const T* bias, const NormTape<T>& tape) const {
        const L share = L::broadcast(T(1) / static_cast<T>(rows));
        for (int i = 0; i < n; i += kLanes) {
            L mean = zero_lanes<T>(), squares = zero_lanes<T>();
            for (int r = 0; r < rows; ++r) mean = mean + L::load(h + r * n + i);
            mean = mean * share;
            for (int r = 0; r < rows; ++r) {
                const L x = L::load(h + r * n + i) - mean;
                squares = fma(x, x, squares);
            }
            const L inverse =
                L::broadcast(T(1)) / sqrt(fma(squares, share, L::broadcast(static_cast<T>(kNormEpsilon))));
            inverse.store(tape.inverse + i);
            for (int r = 0; r < rows; ++r) {
                const L x = (L::load(h + r * n + i) - mean) * inverse;
                x.store(tape.scaled + r * n + i);
                fma(x, L::broadcast(gain[r]), L::broadcast(bias[r])).store(tape.out + r * n + i);
            }
        }
    }
    /// With out = gain scaled + bias and scaled = (h - mean) inverse, adds
    ///
    ///     by_h += inverse (d - mean(d) - scaled mean(d scaled)),   d = gain by_out
    ///
    /// and adds to the gradients of gain and bias.
    void norm_backward(const NormTape<T>& tape, int rows, const T* gain, const T* by_out, T* by_h, T* by_gain,
                       T* by_bias) const {
        for (int r = 0; r < rows; ++r) by_gain[r] += sum_product(by_out + r * n, tape.scaled + r * n);
        add_row_sums(by_out, rows, by_bias);
        const L share = L::broadcast(T(1) / static_cast<T>(rows));
        for (int i = 0; i < n; i += kLanes) {
            L mean = zero_lanes<T>(), along = zero_lanes<T>();
            for (int r = 0; r < rows; ++r) {
                const L d = L::load(by_out + r * n + i) * L::broadcast(gain[r]);
                mean = mean + d;
                along = fma(d, L::load(tape.scaled + r * n + i), along);
            }
            mean = mean * share;
            along = along * share;
            const L inverse = L::load(tape.inverse + i), none = zero_lanes<T>();
            for (int r = 0; r < rows; ++r) {
                const L d = L::load(by_out + r * n + i) * L::broadcast(gain[r]) - mean;
                const L inner = fma(none - along, L::load(tape.scaled + r * n + i), d);
                fma(inner, inverse, L::load(by_h + r * n + i)).store(by_h + r * n + i);
            }
        }
    }
};

/// The network, and the summed gradient.
template <class T>
class CausalLanes final : public CausalTransformer<T> {
    using L = Lanes<T>;

  public:
    explicit CausalLanes(const CausalTransformerShape& shape)
        : shape_(shape), weights_(shape), tape_(shape), gradient_(shape) {}

    void set_weights(const T* weights) override { weights_.set(weights); }
    void take_gradient(T* gradient) override { gradient_.take(gradient); }

    void logits(const BanditHistory<T>& trajectory, T* logits) override {
        forward(trajectory);
        for (int t = 0; t < rounds_; ++t)
            for (int a = 0; a < shape_.arms; ++a) logits[t * shape_.arms + a] = tape_.logits[a * n_ + t];
    }
    double add_cross_entropy(const BanditHistory<T>& trajectory, T factor) override {
        forward(trajectory);
        double loss = 0;
        for (int first = 0; first < n_; first += kLanes) loss += loss_of(trajectory, factor, first);
        backward(trajectory);
        return loss;
    }
    // E_ji b_i
    void attention(int layer, int head, T* map) const override {
        const CausalLayerTape<T>& tape = tape_[layer];
        for (int i = 0; i < rounds_; ++i)
            for (int j = 0; j < rounds_; ++j)
                map[i * rounds_ + j] =
                    j <= i ? tape.weights[square() * head + j * n_ + i] * tape.inverse[head * n_ + i] : T(0);
    }

  private:
    RoundLanes<T> lanes() const { return {n_}; }
    int square() const { return n_ * n_; }

    // The loss of one register of rounds; replaces their logits by the gradient.
    double loss_of(const BanditHistory<T>& trajectory, T factor, int first) {
        const int arms = shape_.arms, n = n_;
        T* logits = tape_.logits + first;
        L largest = L::load(logits), sum = zero_lanes<T>();
        for (int a = 1; a < arms; ++a) largest = max(largest, L::load(logits + a * n));
        for (int a = 0; a < arms; ++a) sum = sum + exp(L::load(logits + a * n) - largest);
        T sums[kLanes], most[kLanes], factors[kLanes];
        sum.store(sums);
        largest.store(most);
        double loss = 0;
        for (int i = 0; i < kLanes; ++i) {
            const int t = first + i;
            factors[i] = t < trajectory.rounds ? factor : T(0);
            if (t < trajectory.rounds)
                loss += std::log(static_cast<double>(sums[i])) +
                        static_cast<double>(most[i] - logits[trajectory.labels[t] * n + i]);
        }
        const L scale = L::load(factors), share = scale / sum;
        for (int a = 0; a < arms; ++a) (exp(L::load(logits + a * n) - largest) * share).store(logits + a * n);
        for (int i = 0; i < kLanes && first + i < trajectory.rounds; ++i)
            logits[trajectory.labels[first + i] * n + i] -= factor;
        return loss;
    }

    // Writes the tape's logits.
    void forward(const BanditHistory<T>& trajectory) {
        rounds_ = trajectory.rounds;
        n_ = padded(rounds_);
        write_tokens(trajectory);
        const int w = shape_.width, f = shape_.features();
        product<T>(w, n_, f, weights_.forward(weights_.W_token, w), tape_.features, n_, tape_.h, n_);
        add_start(trajectory);
        for (int l = 0; l < shape_.layers; ++l) forward_layer(l);
        lanes().norm(tape_.h, w, weights_[weights_.at.norm_gain], weights_[weights_.at.norm_bias], tape_.norm);
        product<T>(shape_.arms, n_, w, weights_.forward(weights_.W_out, shape_.arms), tape_.norm.out, n_, tape_.logits,
                   n_);
        lanes().add_column(tape_.logits, shape_.arms, weights_[weights_.at.b_out]);
    }

    // Adds the gradient, after forward(), with the logits replaced by their gradient (zero in the padding).
    void backward(const BanditHistory<T>& trajectory) {
        const int w = shape_.width;
        const auto& at = weights_.at;
        add_outer(tape_.logits, shape_.arms, tape_.norm.out, w, gradient_.W_out);
        lanes().add_row_sums(tape_.logits, shape_.arms, gradient_.plain(at.b_out));
        product<T>(w, n_, shape_.arms, weights_.backward(at.W_out, w), tape_.logits, n_, tape_.by_out, n_);
        for (int i = 0; i < w * n_; ++i) tape_.by_h[i] = T(0);
        lanes().norm_backward(tape_.norm, w, weights_[at.norm_gain], tape_.by_out, tape_.by_h,
                              gradient_.plain(at.norm_gain), gradient_.plain(at.norm_bias));
        for (int l = shape_.layers - 1; l >= 0; --l) backward_layer(l);
        const int f = padded(shape_.features());
        product<T>(w, f, n_, {tape_.by_h, n_, 1}, tape_.tokens, f, gradient_.W_token, f, true);
        backward_start(trajectory);
    }

    void write_tokens(const BanditHistory<T>& trajectory) {
        const int f = padded(shape_.features());
        for (int i = 0; i < n_ * f; ++i) tape_.tokens[i] = T(0);
        for (int t = 0; t < trajectory.rounds; ++t) {
            const int a = t > 0 ? trajectory.arms[t - 1] : 0;
            const T reward = t > 0 ? trajectory.rewards[t - 1] : T(0);
            write_causal_token(shape_, t == 0, a, reward, trajectory.actions + a * shape_.d, weights_.times(t),
                               tape_.tokens + t * f);
        }
        transpose(n_, shape_.features(), tape_.tokens, f, tape_.features, n_);
    }

    // Adds the positions and the projected action set.
    void add_start(const BanditHistory<T>& trajectory) {
        for (int c = 0; c < shape_.width; ++c) {
            const T sum = weights_.of_actions(c, trajectory.actions);
            const T* positions = weights_[weights_.at.positions] + c * shape_.rounds;
            T* h = tape_.h + c * n_;
            for (int t = 0; t < trajectory.rounds; ++t) h[t] = (h[t] + sum) + positions[t];
        }
    }
    void backward_start(const BanditHistory<T>& trajectory) {
        const int inputs = shape_.arms * shape_.d, step = padded(shape_.rounds);
        for (int c = 0; c < shape_.width; ++c) {
            const T* by_h = tape_.by_h + c * n_;
            const T sum = lanes().sum_row(by_h);
            T* row = gradient_.plain(weights_.at.W_actions) + c * inputs;
            for (int k = 0; k < inputs; ++k) row[k] = std::fma(sum, trajectory.actions[k], row[k]);
            T* positions = gradient_.positions + c * step;
            for (int t = 0; t < trajectory.rounds; ++t) positions[t] += by_h[t];
        }
    }

    CausalHead<T> head(const CausalLayerTape<T>& tape, int m) const {
        const int c = shape_.head_width(), rows = m * c * n_, all = shape_.width * n_;
        const T *q = tape.qkv + rows, *k = q + all, *v = k + all;
        T *out = tape.heads + rows, *weights = tape.weights + square() * m, *inverse = tape.inverse + m * n_;
        return {shape_.attention, c, n_, q, k, v, out, weights, inverse};
    }

    void forward_layer(int l) {
        const auto o = weights_.at.layer(l);
        const auto& W = weights_.layers[l];
        CausalLayerTape<T>& tape = tape_[l];
        const int w = shape_.width, hidden = shape_.hidden;
        lanes().norm(tape_.h, w, weights_[o.norm1_gain], weights_[o.norm1_bias], tape.norm1);
        product<T>(3 * w, n_, w, weights_.forward(W.W_qkv, 3 * w), tape.norm1.out, n_, tape.qkv, n_);
        for (int m = 0; m < shape_.heads; ++m) attend(head(tape, m));
        product<T>(w, n_, w, weights_.forward(W.W_o, w), tape.heads, n_, tape_.h, n_, true);
        lanes().norm(tape_.h, w, weights_[o.norm2_gain], weights_[o.norm2_bias], tape.norm2);
        product<T>(hidden, n_, w, weights_.forward(W.W_1, hidden), tape.norm2.out, n_, tape.hidden, n_);
        const L none = zero_lanes<T>();
        for (int r = 0; r < hidden; ++r)
            for (int i = 0; i < n_; i += kLanes) {
                T* x = tape.hidden + r * n_ + i;
                max(L::load(x) + L::broadcast(weights_[o.b_1][r]), none).store(x);
            }
        product<T>(w, n_, hidden, weights_.forward(W.W_2, w), tape.hidden, n_, tape_.h, n_, true);
        lanes().add_column(tape_.h, w, weights_[o.b_2]);
    }

    void backward_layer(int l) {
        const auto o = weights_.at.layer(l);
        const CausalLayerTape<T>& tape = tape_[l];
        const auto& to = gradient_.layers[l];
        const int w = shape_.width, hidden = shape_.hidden;
        add_outer(tape_.by_h, w, tape.hidden, hidden, to.W_2);
        lanes().add_row_sums(tape_.by_h, w, gradient_.plain(o.b_2));
        product<T>(hidden, n_, w, weights_.backward(o.W_2, hidden), tape_.by_h, n_, tape_.by_hidden, n_);
        for (int i = 0; i < hidden * n_; i += kLanes)
            where_positive(L::load(tape.hidden + i), L::load(tape_.by_hidden + i), zero_lanes<T>())
                .store(tape_.by_hidden + i);
        add_outer(tape_.by_hidden, hidden, tape.norm2.out, w, to.W_1);
        lanes().add_row_sums(tape_.by_hidden, hidden, gradient_.plain(o.b_1));
        product<T>(w, n_, hidden, weights_.backward(o.W_1, w), tape_.by_hidden, n_, tape_.by_out, n_);
        lanes().norm_backward(tape.norm2, w, weights_[o.norm2_gain], tape_.by_out, tape_.by_h,
                              gradient_.plain(o.norm2_gain), gradient_.plain(o.norm2_bias));
        add_outer(tape_.by_h, w, tape.heads, w, to.W_o);
        product<T>(w, n_, w, weights_.backward(o.W_o, w), tape_.by_h, n_, tape_.by_heads, n_);
        backward_heads(tape);
        add_outer(tape_.by_qkv, 3 * w, tape.norm1.out, w, to.W_qkv);
        product<T>(w, n_, 3 * w, weights_.backward(o.W_q, w), tape_.by_qkv, n_, tape_.by_out, n_);
        lanes().norm_backward(tape.norm1, w, weights_[o.norm1_gain], tape_.by_out, tape_.by_h,
                              gradient_.plain(o.norm1_gain), gradient_.plain(o.norm1_bias));
    }

    void backward_heads(const CausalLayerTape<T>& tape) {
        const int all = shape_.width * n_;
        for (int m = 0; m < shape_.heads; ++m) {
            const int rows = m * shape_.head_width() * n_;
            T* by_qkv = tape_.by_qkv + rows;
            attend_backward(head(tape, m), tape_.by_heads + rows, by_qkv, by_qkv + all, by_qkv + 2 * all, tape_);
        }
    }

    // gradient += left right'. left: rows x rounds; right: columns x rounds; gradient: rows x columns, padded.
    void add_outer(const T* left, int rows, const T* right, int columns, T* gradient) {
        const int p = padded(columns);
        transpose(columns, n_, right, n_, tape_.turned, p);
        product<T>(rows, p, n_, {left, n_, 1}, tape_.turned, p, gradient, p, true);
    }

    CausalTransformerShape shape_;
    CausalWeights<T> weights_;
    CausalTape<T> tape_;
    CausalGradient<T> gradient_;
    int rounds_ = 0, n_ = 0;
};

}  // namespace emergence::EMERGENCE_LANES
