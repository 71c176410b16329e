#pragma once
// The memory of the fast causal transformer: weights as its products read them, the tape of one trajectory,
// gradients. Arrays are rows x rounds, with the rounds in lanes and padded to whole virtual lanes.

#include <initializer_list>

#include "core/models/causal_transformer_shape.h"
#include "core/models/lane_product.h"

namespace emergence::EMERGENCE_LANES {

/// The flat weights, and a copy with each matrix of a product W X transposed in place.
template <class T>
class CausalWeights {
  public:
    explicit CausalWeights(const CausalTransformerShape& shape)
        : at(shape), shape_(shape), flat_(shape.num_weights()), transposed_(shape.num_weights()) {}

    const CausalTransformerOffsets at;

    void set(const T* weights) {
        for (size_t i = 0; i < shape_.num_weights(); ++i) flat_.data()[i] = weights[i];
        const int w = shape_.width;
        turn(at.W_token, w, shape_.features());
        for (int l = 0; l < shape_.layers; ++l) {
            const auto o = at.layer(l);
            turn(o.W_q, 3 * w, w);  // W_q, W_k and W_v together
            turn(o.W_o, w, w);
            turn(o.W_1, shape_.hidden, w);
            turn(o.W_2, w, shape_.hidden);
        }
        turn(at.W_out, shape_.arms, w);
    }

    const T* operator[](size_t offset) const { return flat_.data() + offset; }
    /// W (rows x columns) as the left factor of W X, and W' as that of W' Y.
    ProductLeft<T> forward(size_t offset, int rows) const { return {transposed_.data() + offset, 1, rows}; }
    ProductLeft<T> backward(size_t offset, int columns) const { return {flat_.data() + offset, 1, columns}; }

  private:
    void turn(size_t offset, int rows, int columns) {
        transpose(rows, columns, flat_.data() + offset, columns, transposed_.data() + offset, rows);
    }

    CausalTransformerShape shape_;
    LaneBuffer<T> flat_, transposed_;
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
    // (3 width) x rounds
    T* qkv;
    // heads x rounds x rounds: E_ji of causal_attention_lanes.h, row j, column i, not normalised.
    T* weights;
    // heads x rounds: b_i, the normaliser of E_ji.
    T* inverse;
    // width x rounds
    T* heads;
    // hidden x rounds, after the ReLU.
    T* hidden;
};

/// The forward pass of one trajectory, and the workspace of its backward pass.
template <class T>
class CausalTape {
  public:
    explicit CausalTape(const CausalTransformerShape& shape) : layers_(new CausalLayerTape<T>[layers_of(shape)]) {
        LaneArena<T> arena;
        lay_out(shape, arena);
        arena.place(store_);
        lay_out(shape, arena);
    }
    ~CausalTape() { delete[] layers_; }
    CausalTape(const CausalTape&) = delete;
    CausalTape& operator=(const CausalTape&) = delete;

    CausalLayerTape<T>& operator[](int layer) const { return layers_[layer]; }

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
    static size_t layers_of(const CausalTransformerShape& s) { return static_cast<size_t>(s.layers); }

    static void lay_out(LaneArena<T>& arena, NormTape<T>& norm, size_t w, size_t n) {
        norm.scaled = arena.take(w * n);
        norm.inverse = arena.take(n);
        norm.out = arena.take(w * n);
    }
    void lay_out(const CausalTransformerShape& s, LaneArena<T>& arena) {
        const auto n = static_cast<size_t>(padded(s.rounds)), w = static_cast<size_t>(s.width);
        const auto f = static_cast<size_t>(padded(s.features())), hidden = static_cast<size_t>(s.hidden);
        const auto widest = static_cast<size_t>(padded(s.hidden > s.width ? s.hidden : s.width));
        for (int l = 0; l < s.layers; ++l) {
            CausalLayerTape<T>& tape = layers_[l];
            lay_out(arena, tape.norm1, w, n);
            lay_out(arena, tape.norm2, w, n);
            tape.qkv = arena.take(3 * w * n);
            tape.weights = arena.take(static_cast<size_t>(s.heads) * n * n);
            tape.inverse = arena.take(static_cast<size_t>(s.heads) * n);
            tape.heads = arena.take(w * n);
            tape.hidden = arena.take(hidden * n);
        }
        tokens = arena.take(n * f);
        features = arena.take(f * n);
        for (T** part : {&h, &by_h, &by_out, &by_heads}) *part = arena.take(w * n);
        logits = arena.take(static_cast<size_t>(s.arms) * n);
        lay_out(arena, norm, w, n);
        by_qkv = arena.take(3 * w * n);
        by_hidden = arena.take(hidden * n);
        by_scores = arena.take(n * n);
        turned = arena.take(n * widest);
        turned_too = arena.take(n * widest);
        along = arena.take(n);
    }

    LaneBuffer<T> store_;
    CausalLayerTape<T>* layers_;
};

/// The sum of the weights' gradients. Rows of matrices are padded, so that products may add to them.
template <class T>
class CausalGradient {
  public:
    explicit CausalGradient(const CausalTransformerShape& shape) : shape_(shape), at_(shape) {
        LaneArena<T> arena;
        lay_out(arena);
        arena.place(store_);
        lay_out(arena);
    }

    /// Matrices whose rows are padded(columns) apart.
    T* token() const { return token_; }
    T* positions() const { return positions_; }
    /// Blocks without padding: vectors and W_actions.
    T* plain(size_t offset) const { return plain_ + offset; }
    struct Layer {
        T *W_qkv, *W_o, *W_1, *W_2;
    };
    Layer layer(int l) const {
        const auto w = static_cast<size_t>(shape_.width), p = static_cast<size_t>(padded(shape_.width));
        T* first = layers_ + static_cast<size_t>(l) * layer_size();
        T* mlp = first + 4 * w * p;
        return {first, first + 3 * w * p, mlp, mlp + static_cast<size_t>(shape_.hidden) * p};
    }
    T* out() const { return out_; }

    void take(T* flat) {
        for (size_t i = 0; i < shape_.num_weights(); ++i) flat[i] = plain_[i];
        const int w = shape_.width;
        unpad(token_, w, shape_.features(), flat + at_.W_token);
        unpad(positions_, w, shape_.rounds, flat + at_.positions);
        for (int l = 0; l < shape_.layers; ++l) {
            const auto o = at_.layer(l);
            const Layer mine = layer(l);
            unpad(mine.W_qkv, 3 * w, w, flat + o.W_q);
            unpad(mine.W_o, w, w, flat + o.W_o);
            unpad(mine.W_1, shape_.hidden, w, flat + o.W_1);
            unpad(mine.W_2, w, shape_.hidden, flat + o.W_2);
        }
        unpad(out_, shape_.arms, w, flat + at_.W_out);
        for (size_t i = 0; i < size_; ++i) store_.data()[i] = T(0);
    }

  private:
    size_t layer_size() const {
        const auto w = static_cast<size_t>(shape_.width), p = static_cast<size_t>(padded(shape_.width));
        return 4 * w * p + static_cast<size_t>(shape_.hidden) * p + w * static_cast<size_t>(padded(shape_.hidden));
    }
    void lay_out(LaneArena<T>& arena) {
        const auto w = static_cast<size_t>(shape_.width);
        size_ = 0;
        const auto take = [&](size_t size) {
            size_ += static_cast<size_t>(padded(static_cast<int>(size)));
            return arena.take(size);
        };
        plain_ = take(shape_.num_weights());
        token_ = take(w * static_cast<size_t>(padded(shape_.features())));
        positions_ = take(w * static_cast<size_t>(padded(shape_.rounds)));
        layers_ = take(static_cast<size_t>(shape_.layers) * layer_size());
        out_ = take(static_cast<size_t>(shape_.arms) * static_cast<size_t>(padded(shape_.width)));
    }
    static void unpad(const T* from, int rows, int columns, T* to) {
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < columns; ++c) to[r * columns + c] = from[r * padded(columns) + c];
    }

    CausalTransformerShape shape_;
    CausalTransformerOffsets at_;
    LaneBuffer<T> store_;
    size_t size_ = 0;
    T *plain_, *token_, *positions_, *layers_, *out_;
};

}  // namespace emergence::EMERGENCE_LANES
