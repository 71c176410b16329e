#pragma once
// The memory of the fast causal transformer: weights as its products read them, the tape of one trajectory,
// gradients; and its attention. Arrays are rows x rounds, with the rounds in lanes, padded to whole virtual lanes.

#include <cmath>
#include <initializer_list>
#include <numbers>
#include <vector>

#include "core/base/lanes.h"
#include "core/models/causal_transformer.h"
#include "core/models/lane_products.h"

namespace emergence::EMERGENCE_LANES {

/// Writes a round's token over zeros: [onehot a, r onehot a, r, x_a, r x_a] of the round before, unless it is the
/// first, then its sines and cosines. x: the action vector of arm a.
template <class T>
void write_causal_token(const CausalTransformerShape& shape, bool first, int a, T reward, const T* x, const T* times,
                        T* token) {
    const int arms = shape.arms, d = shape.d;
    if (!first) {
        const T r = reward * static_cast<T>(kRewardScale);
        token[a] = T(1);
        token[arms + a] = r;
        token[2 * arms] = r;
        for (int k = 0; k < d; ++k) {
            token[2 * arms + 1 + k] = x[k];
            token[2 * arms + 1 + d + k] = r * x[k];
        }
    }
    for (int k = 0; k < 2 * kPeriods; ++k) token[2 * arms + 1 + 2 * d + k] = times[k];
}

/// The matrices of products, in a layout of the derived class.
template <class T>
struct CausalMatrices {
    struct Layer {
        T *W_qkv, *W_o, *W_1, *W_2;
    };
    T *W_token, *W_out;
    std::vector<Layer> layers;

    /// Calls visit(matrix, its offset in the flat weights, rows, columns) for all of them.
    template <class Visit>
    void each(const CausalTransformerShape& s, const CausalTransformerOffsets& at, const Visit& visit) {
        layers.resize(s.layers);
        visit(W_token, at.W_token, s.width, s.features());
        for (int l = 0; l < s.layers; ++l) {
            const auto o = at.layer(l);
            visit(layers[l].W_qkv, o.W_q, 3 * s.width, s.width);  // W_q, W_k and W_v together
            visit(layers[l].W_o, o.W_o, s.width, s.width);
            visit(layers[l].W_1, o.W_1, s.hidden, s.width);
            visit(layers[l].W_2, o.W_2, s.width, s.hidden);
        }
        visit(W_out, at.W_out, s.arms, s.width);
    }
};

/// The flat weights, the fixed features of the rounds, and a copy of each matrix of a product W X: transposed, its rows
/// padded to whole virtual lanes.
template <class T>
class CausalWeights : public CausalMatrices<T> {
  public:
    explicit CausalWeights(const CausalTransformerShape& shape) : at(shape), shape_(shape) {
        arena_.lay_out([this] { lay_out(); });
        T* next = times_;
        for (int t = 0; t < shape.rounds; ++t)
            for (int p = 0; p < kPeriods; ++p) {
                const double period = 6.0 * std::pow(100.0, static_cast<double>(p) / (kPeriods - 1));
                const double angle = 2.0 * std::numbers::pi * t / period;
                *next++ = static_cast<T>(std::sin(angle));
                *next++ = static_cast<T>(std::cos(angle));
            }
    }

    const CausalTransformerOffsets at;

    void set(const T* weights) {
        for (size_t i = 0; i < at.all; ++i) flat_[i] = weights[i];
        this->each(shape_, at, [&](T* turned, size_t offset, int rows, int columns) {
            transpose(rows, columns, flat_ + offset, columns, turned, padded(rows));
        });
    }

    const T* operator[](size_t offset) const { return flat_ + offset; }
    /// Entry c of W_actions vec(x_1 .. x_A).
    T of_actions(int c, const T* actions) const {
        const int inputs = shape_.arms * shape_.d;
        const T* row = flat_ + at.W_actions + c * inputs;
        T sum = T(0);
        for (int k = 0; k < inputs; ++k) sum = std::fma(row[k], actions[k], sum);
        return sum;
    }
    /// sin and cos of 2 pi round / period: 2 kPeriods.
    const T* times(int round) const { return times_ + round * 2 * kPeriods; }
    /// W' (rows of W, padded) as the left factor of W X, and W (rows x columns) as that of W' Y.
    static ProductLeft<T> forward(const T* turned, int rows) { return {turned, 1, padded(rows)}; }
    ProductLeft<T> backward(size_t offset, int columns) const { return {flat_ + offset, 1, columns}; }

  private:
    void lay_out() {
        flat_ = arena_.take(static_cast<int>(at.all));
        times_ = arena_.take(shape_.rounds, 2 * kPeriods);
        this->each(shape_, at,
                   [&](T*& turned, size_t, int rows, int columns) { turned = arena_.take(padded(rows), columns); });
    }

    CausalTransformerShape shape_;
    LaneArena<T> arena_;
    T *flat_, *times_;
};

/// A layer norm:
///
///     scaled = (h - mean) inverse,   inverse = 1 / deviation,   out = gain scaled + bias
///
/// scaled, out: width x rounds; inverse: rounds.
template <class T>
struct NormTape {
    T *scaled, *inverse, *out;
};

/// One layer of a forward pass.
template <class T>
struct CausalLayerTape {
    NormTape<T> norm1, norm2;
    T* qkv;      // (3 width) x rounds
    T* weights;  // heads x rounds x rounds: E_ji of attend() below, row j, column i, not normalised
    T* inverse;  // heads x rounds: b_i, the normaliser of E_ji
    T* heads;    // width x rounds
    T* hidden;   // hidden x rounds, after the ReLU
};

/// The forward pass of one trajectory, and the workspace of its backward pass.
template <class T>
class CausalTape {
  public:
    explicit CausalTape(const CausalTransformerShape& shape) : layers_(shape.layers) {
        arena_.lay_out([&] { lay_out(shape); });
    }

    CausalLayerTape<T>& operator[](int layer) { return layers_[layer]; }
    const CausalLayerTape<T>& operator[](int layer) const { return layers_[layer]; }

    T *tokens, *features;    // rounds x features padded, features x rounds
    T* h;                    // width x rounds: the residual stream
    T* logits;               // A x rounds; after the loss its gradient
    NormTape<T> norm;        // the one before the read-out
    T *by_h, *by_out;        // width x rounds
    T *by_qkv, *by_heads;    // (3 width) x rounds, width x rounds
    T* by_hidden;            // hidden x rounds
    T* by_scores;            // rounds x rounds: row j, column i
    T *turned, *turned_too;  // rounds x any number of columns
    T* along;                // rounds

  private:
    NormTape<T> take_norm(int w, int n) { return {arena_.take(w, n), arena_.take(n), arena_.take(w, n)}; }
    void lay_out(const CausalTransformerShape& s) {
        const int n = padded(s.rounds), w = s.width, f = padded(s.features());
        const int widest = padded(s.hidden > w ? s.hidden : w);
        for (CausalLayerTape<T>& tape : layers_) {
            tape.norm1 = take_norm(w, n);
            tape.norm2 = take_norm(w, n);
            tape.qkv = arena_.take(3 * w, n);
            tape.weights = arena_.take(s.heads * n, n);
            tape.inverse = arena_.take(s.heads, n);
            tape.heads = arena_.take(w, n);
            tape.hidden = arena_.take(s.hidden, n);
        }
        tokens = arena_.take(n, f);
        features = arena_.take(f, n);
        for (T** part : {&h, &by_h, &by_out, &by_heads}) *part = arena_.take(w, n);
        logits = arena_.take(s.arms, n);
        norm = take_norm(w, n);
        by_qkv = arena_.take(3 * w, n);
        by_hidden = arena_.take(s.hidden, n);
        by_scores = arena_.take(n, n);
        for (T** part : {&turned, &turned_too}) *part = arena_.take(n, widest);
        along = arena_.take(n);
    }

    LaneArena<T> arena_;
    std::vector<CausalLayerTape<T>> layers_;
};

/// The sum of the weights' gradients. The rows of matrices are padded(columns) apart, so that products may add to them.
template <class T>
class CausalGradient : public CausalMatrices<T> {
  public:
    explicit CausalGradient(const CausalTransformerShape& shape) : shape_(shape), at_(shape) {
        arena_.lay_out([this] { lay_out(); });
    }

    T* positions;
    /// Blocks without padding: vectors and W_actions.
    T* plain(size_t offset) const { return plain_ + offset; }

    void take(T* flat) {
        for (size_t i = 0; i < at_.all; ++i) flat[i] = plain_[i];
        const auto unpad = [flat](const T* from, size_t offset, int rows, int columns) {
            for (int r = 0; r < rows; ++r)
                for (int c = 0; c < columns; ++c) flat[offset + r * columns + c] = from[r * padded(columns) + c];
        };
        unpad(positions, at_.positions, shape_.width, shape_.rounds);
        this->each(shape_, at_, unpad);
        arena_.clear();
    }

  private:
    void lay_out() {
        plain_ = arena_.take(static_cast<int>(at_.all));
        positions = arena_.take(shape_.width, padded(shape_.rounds));
        this->each(shape_, at_,
                   [&](T*& matrix, size_t, int rows, int columns) { matrix = arena_.take(rows, padded(columns)); });
    }

    CausalTransformerShape shape_;
    CausalTransformerOffsets at_;
    LaneArena<T> arena_;
    T* plain_;
};

// One head of causal attention over one trajectory. Rounds i attend to rounds j <= i; i runs over lanes.
//
//     S_ji = k_j' q_i
//     E_ji = exp((S_ji - max_j S_ji) / sqrt(c)),  b_i = 1 / sum_j E_ji    softmax; c: width of the head
//     E_ji = max(S_ji, 0),                        b_i = 1 / i             ReLU; i from 1
//     o_i = b_i sum_j v_j E_ji
//
// and backwards, from do_i:
//
//     g_i = b_i do_i
//     U_ji = v_j' g_i
//     dS_ji = E_ji (U_ji - g_i' o_i) / sqrt(c)                            softmax
//     dS_ji = U_ji where E_ji > 0, else 0                                 ReLU
//     dq_i = sum_j k_j dS_ji
//     dk_j = sum_i q_i dS_ji
//     dv_j = sum_i g_i E_ji

/// The arrays of one head. q, k, v, out: width x rounds, rows `step` apart; weights (E): step x step, row j,
/// column i; inverse (b): step.
template <class T>
struct CausalHead {
    CausalAttention kind;
    int width, step;
    const T *q, *k, *v;
    T *out, *weights, *inverse;
};

namespace detail {

constexpr int kRoundBlock = 32;  // rounds per block: two vectors of sixteen

// Calls work(first, columns, rows) for each block of rounds i; it attends to rounds j < rows.
template <class Work>
inline void for_round_blocks(int step, const Work& work) {
    for (int first = 0; first < step; first += kRoundBlock) {
        const int columns = step - first < kRoundBlock ? step - first : kRoundBlock;
        work(first, columns, first + columns);
    }
}

// Positive where first + lane >= j.
template <class T>
inline Lanes<T> not_before(int first, int j) {
    T distance[kLanes];
    for (int i = 0; i < kLanes; ++i) distance[i] = static_cast<T>(first + i - j) + T(0.5);
    return Lanes<T>::load(distance);
}

template <class T>
inline void softmax_column(const CausalHead<T>& head, int first, int rows) {
    using L = Lanes<T>;
    const T scale = T(1) / std::sqrt(static_cast<T>(head.width));
    const auto at = [&](int j) { return head.weights + j * head.step + first; };
    L largest = L::load(at(0));
    for (int j = 1; j <= first; ++j) largest = max(largest, L::load(at(j)));
    for (int j = first + 1; j < rows; ++j)
        largest = where_positive(not_before<T>(first, j), max(largest, L::load(at(j))), largest);
    const L factor = L::broadcast(scale), start = zero_lanes<T>() - factor * largest;
    L sum = zero_lanes<T>();
    for (int j = 0; j < rows; ++j) {
        L e = exp(fma(L::load(at(j)), factor, start));
        if (j > first) e = where_positive(not_before<T>(first, j), e, zero_lanes<T>());
        sum = sum + e;
        e.store(at(j));
    }
    (L::broadcast(T(1)) / sum).store(head.inverse + first);
}

template <class T>
inline void relu_column(const CausalHead<T>& head, int first, int rows) {
    using L = Lanes<T>;
    const L none = zero_lanes<T>();
    for (int j = 0; j < rows; ++j) {
        T* at = head.weights + j * head.step + first;
        L e = max(L::load(at), none);
        if (j > first) e = where_positive(not_before<T>(first, j), e, none);
        e.store(at);
    }
    (L::broadcast(T(1)) / (not_before<T>(first, 0) + L::broadcast(T(0.5)))).store(head.inverse + first);
}

// dS_ji from U_ji in by_scores, for the rounds i of one vector of lanes.
template <class T>
inline void by_scores_column(const CausalHead<T>& head, const CausalTape<T>& work, int first, int rows) {
    using L = Lanes<T>;
    const L none = zero_lanes<T>(), along = L::load(work.along + first);
    const L scale = L::broadcast(T(1) / std::sqrt(static_cast<T>(head.width)));
    for (int j = 0; j < rows; ++j) {
        const L e = L::load(head.weights + j * head.step + first);
        T* at = work.by_scores + j * head.step + first;
        const L u = L::load(at);
        const L d = head.kind == CausalAttention::softmax ? scale * e * (u - along) : where_positive(e, u, none);
        d.store(at);
    }
}

// g_i = b_i do_i in by_out, and g_i' o_i in along.
template <class T>
inline void scale_by_inverse(const CausalHead<T>& head, T* by_out, T* along) {
    using L = Lanes<T>;
    for (int i = 0; i < head.step; i += kLanes) {
        const L inverse = L::load(head.inverse + i);
        L sum = zero_lanes<T>();
        for (int c = 0; c < head.width; ++c) {
            const L g = L::load(by_out + c * head.step + i) * inverse;
            sum = fma(g, L::load(head.out + c * head.step + i), sum);
            g.store(by_out + c * head.step + i);
        }
        sum.store(along + i);
    }
}

// out_j = sum_{i >= j} right_i left_ji. out, right: width x rounds.
template <class T>
inline void sum_over_future(const CausalHead<T>& head, const T* left, const T* right, const CausalTape<T>& work,
                            T* out) {
    const int n = head.step, p = padded(head.width);
    transpose(head.width, n, right, n, work.turned, p);
    for (int j = 0; j < n; j += kVirtualLanes)
        product<T>(kVirtualLanes, p, n - j, {left + j * n + j, n, 1}, work.turned + j * p, p, work.turned_too + j * p,
                   p);
    transpose(n, head.width, work.turned_too, p, out, n);
}

}  // namespace detail

/// The forward pass of one head: fills weights, inverse and out.
template <class T>
inline void attend(const CausalHead<T>& head) {
    using L = Lanes<T>;
    const int n = head.step;
    detail::for_round_blocks(n, [&](int first, int columns, int rows) {
        product<T>(rows, columns, head.width, {head.k, 1, n}, head.q + first, n, head.weights + first, n);
        for (int i = first; i < first + columns; i += kLanes)
            head.kind == CausalAttention::softmax ? detail::softmax_column(head, i, rows)
                                                  : detail::relu_column(head, i, rows);
        product<T>(head.width, columns, rows, {head.v, n, 1}, head.weights + first, n, head.out + first, n);
        for (int c = 0; c < head.width; ++c)
            for (int i = first; i < first + columns; i += kLanes) {
                T* out = head.out + c * n + i;
                (L::load(out) * L::load(head.inverse + i)).store(out);
            }
    });
}

/// The backward pass of one head, after attend(): overwrites by_q, by_k and by_v from by_out, which becomes g. All are
/// width x rounds, rows `step` apart.
template <class T>
inline void attend_backward(const CausalHead<T>& head, T* by_out, T* by_q, T* by_k, T* by_v,
                            const CausalTape<T>& work) {
    const int n = head.step;
    detail::scale_by_inverse(head, by_out, work.along);
    detail::for_round_blocks(n, [&](int first, int columns, int rows) {
        product<T>(rows, columns, head.width, {head.v, 1, n}, by_out + first, n, work.by_scores + first, n);
        for (int i = first; i < first + columns; i += kLanes) detail::by_scores_column(head, work, i, rows);
        product<T>(head.width, columns, rows, {head.k, n, 1}, work.by_scores + first, n, by_q + first, n);
    });
    detail::sum_over_future(head, work.by_scores, head.q, work, by_k);
    detail::sum_over_future(head, head.weights, by_out, work, by_v);
}

}  // namespace emergence::EMERGENCE_LANES
