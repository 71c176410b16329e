// The causal transformer round by round with a key-value cache, features in lanes. It sums every number in the
// order of the whole forward pass, so the bits are the same.

#include <cmath>
#include <initializer_list>

#include "core/base/lanes.h"
#include "core/models/causal_transformer.h"
#include "core/models/causal_transformer_lanes.h"
#include "core/models/lane_products.h"

namespace emergence::EMERGENCE_LANES {

class CausalRolloutLanes final : public CausalRollout {
    using L = Lanes<float>;

  public:
    /// times: the fixed features, rounds x 2 kPeriods.
    CausalRolloutLanes(const CausalTransformerShape& shape, const float* times)
        : shape_(shape), at_(shape), times_(static_cast<size_t>(shape.rounds * 2 * kPeriods)) {
        for (int i = 0; i < shape.rounds * 2 * kPeriods; ++i) times_.data()[i] = times[i];
        LaneArena<float> arena;
        lay_out(arena);
        arena.place(store_);
        lay_out(arena);
    }

    void set_weights(const float* weights) override {
        for (size_t i = 0; i < shape_.num_weights(); ++i) flat_[i] = weights[i];
        const int w = shape_.width, hidden = shape_.hidden;
        turn(at_.W_token, w, shape_.features(), W_token_);
        for (int l = 0; l < shape_.layers; ++l) {
            const auto o = at_.layer(l);
            const Layer mine = layer(l);
            turn(o.W_q, 3 * w, w, mine.W_qkv);
            turn(o.W_o, w, w, mine.W_o);
            turn(o.W_1, hidden, w, mine.W_1);
            turn(o.W_2, w, hidden, mine.W_2);
        }
        turn(at_.W_out, shape_.arms, w, W_out_);
    }

    void begin(const float* actions) override {
        round_ = 0;
        const int inputs = shape_.arms * shape_.d;
        for (int k = 0; k < inputs; ++k) actions_[k] = actions[k];
        for (int c = 0; c < shape_.width; ++c) {
            const float* row = flat_ + at_.W_actions + c * inputs;
            float sum = 0.0F;
            for (int k = 0; k < inputs; ++k) sum = std::fma(row[k], actions[k], sum);
            start_[c] = sum;
        }
    }

    void step(int arm, float reward, float* logits) override {
        write_token(arm, reward);
        const int w = shape_.width;
        multiply(W_token_, w, shape_.features(), token_, h_, false);
        for (int c = 0; c < w; ++c)
            h_[c] = (h_[c] + start_[c]) + flat_[at_.positions + static_cast<size_t>(c * shape_.rounds + round_)];
        for (int l = 0; l < shape_.layers; ++l) forward_layer(at_.layer(l), layer(l));
        norm(at_.norm_gain, at_.norm_bias);
        multiply(W_out_, shape_.arms, w, normed_, logits_, false);
        for (int a = 0; a < shape_.arms; ++a) logits[a] = logits_[a] + flat_[at_.b_out + static_cast<size_t>(a)];
        ++round_;
    }

  private:
    // Matrices transposed with padded rows; keys: width x rounds; values: rounds x heads x padded head width.
    struct Layer {
        float *W_qkv, *W_o, *W_1, *W_2, *keys, *values;
    };
    int head_step() const { return padded(shape_.head_width()); }
    size_t rounds() const { return static_cast<size_t>(padded(shape_.rounds)); }
    size_t wide() const { return static_cast<size_t>(padded(shape_.width)); }
    static size_t product_size(int rows, int columns) {
        return static_cast<size_t>(padded(rows)) * static_cast<size_t>(columns);
    }

    Layer layer(int l) const {
        const int w = shape_.width, hidden = shape_.hidden;
        Layer at{};
        at.W_qkv = layers_ + static_cast<size_t>(l) * layer_size();
        at.W_o = at.W_qkv + product_size(3 * w, w);
        at.W_1 = at.W_o + product_size(w, w);
        at.W_2 = at.W_1 + product_size(hidden, w);
        at.keys = at.W_2 + product_size(w, hidden);
        at.values = at.keys + static_cast<size_t>(w) * rounds();
        return at;
    }
    size_t layer_size() const {
        const int w = shape_.width, hidden = shape_.hidden;
        return product_size(3 * w, w) + product_size(w, w) + product_size(hidden, w) + product_size(w, hidden) +
               rounds() * static_cast<size_t>(w + shape_.heads * head_step());
    }
    void lay_out(LaneArena<float>& arena) {
        flat_ = arena.take(shape_.num_weights());
        W_token_ = arena.take(product_size(shape_.width, shape_.features()));
        W_out_ = arena.take(product_size(shape_.arms, shape_.width));
        layers_ = arena.take(static_cast<size_t>(shape_.layers) * layer_size());
        actions_ = arena.take(static_cast<size_t>(shape_.arms * shape_.d));
        for (float** part : {&start_, &h_, &normed_, &heads_}) *part = arena.take(wide());
        qkv_ = arena.take(static_cast<size_t>(padded(3 * shape_.width)));
        hidden_ = arena.take(static_cast<size_t>(padded(shape_.hidden)));
        token_ = arena.take(static_cast<size_t>(shape_.features()));
        logits_ = arena.take(static_cast<size_t>(padded(shape_.arms)));
        scores_ = arena.take(rounds() * static_cast<size_t>(shape_.heads));
    }
    void turn(size_t offset, int rows, int columns, float* to) const {
        transpose(rows, columns, flat_ + offset, columns, to, padded(rows));
    }

    // y = W x, or y += W x if `add`. turned: W' with rows padded to whole virtual lanes.
    static void multiply(const float* turned, int outputs, int inputs, const float* x, float* y, bool add) {
        row_product(padded(outputs), inputs, x, turned, padded(outputs), y, add);
    }

    void write_token(int arm, float reward) {
        for (int k = 0; k < shape_.features(); ++k) token_[k] = 0.0F;
        const int a = round_ > 0 ? arm : 0;
        write_causal_token(shape_, round_ == 0, a, reward, actions_ + a * shape_.d,
                           times_.data() + round_ * 2 * kPeriods, token_);
    }

    void norm(size_t gain, size_t bias) const {
        const int w = shape_.width;
        const float share = 1.0F / static_cast<float>(w);
        float mean = 0.0F, squares = 0.0F;
        for (int r = 0; r < w; ++r) mean += h_[r];
        mean *= share;
        for (int r = 0; r < w; ++r) squares = std::fma(h_[r] - mean, h_[r] - mean, squares);
        const float inverse = 1.0F / std::sqrt(std::fma(squares, share, static_cast<float>(kNormEpsilon)));
        for (int r = 0; r < w; ++r)
            normed_[r] = std::fma((h_[r] - mean) * inverse, flat_[gain + static_cast<size_t>(r)],
                                  flat_[bias + static_cast<size_t>(r)]);
    }

    void forward_layer(const CausalTransformerOffsets::Layer& o, const Layer& mine) {
        const int w = shape_.width, hidden = shape_.hidden, c = shape_.head_width();
        norm(o.norm1_gain, o.norm1_bias);
        multiply(mine.W_qkv, 3 * w, w, normed_, qkv_, false);
        for (int r = 0; r < w; ++r)
            mine.keys[static_cast<size_t>(r) * rounds() + static_cast<size_t>(round_)] = qkv_[w + r];
        for (int m = 0; m < shape_.heads; ++m) {
            float* value = mine.values + (round_ * shape_.heads + m) * head_step();
            for (int r = 0; r < c; ++r) value[r] = qkv_[2 * w + m * c + r];
            score(m, qkv_ + m * c, mine.keys + static_cast<size_t>(m * c) * rounds());
        }
        int m = 0;
        for (; m + 4 <= shape_.heads; m += 4) weigh_values<4>(m, mine.values);
        for (; m + 2 <= shape_.heads; m += 2) weigh_values<2>(m, mine.values);
        for (; m < shape_.heads; ++m) weigh_values<1>(m, mine.values);
        multiply(mine.W_o, w, w, heads_, h_, true);
        norm(o.norm2_gain, o.norm2_bias);
        multiply(mine.W_1, hidden, w, normed_, hidden_, false);
        for (int r = 0; r < hidden; ++r) {
            const float x = hidden_[r] + flat_[o.b_1 + static_cast<size_t>(r)];
            hidden_[r] = x > 0.0F ? x : 0.0F;
        }
        multiply(mine.W_2, w, hidden, hidden_, h_, true);
        for (int r = 0; r < w; ++r) h_[r] += flat_[o.b_2 + static_cast<size_t>(r)];
    }

    float* scores(int head) const { return scores_ + static_cast<size_t>(head) * rounds(); }

    // What a head's values weigh.
    void score(int head, const float* q, const float* keys) {
        const int count = padded(round_ + 1);
        float* s = scores(head);
        row_product(count, shape_.head_width(), q, keys, static_cast<int>(rounds()), s, false);
        if (shape_.attention == CausalAttention::softmax) {
            const float factor = 1.0F / std::sqrt(static_cast<float>(shape_.head_width()));
            const L scale = L::broadcast(factor), start = L::broadcast(0.0F - factor * largest_of(s));
            for (int j = 0; j < count; j += kLanes) exp(fma(L::load(s + j), scale, start)).store(s + j);
        } else {
            for (int j = 0; j <= round_; ++j) s[j] = s[j] > 0.0F ? s[j] : 0.0F;
        }
    }
    // The outputs of some heads, whose sums over rounds, in the order of rounds, wait for each other's additions less
    // than each alone.
    template <int some>
    void weigh_values(int first, const float* values) {
        const int step = shape_.heads * head_step(), c = shape_.head_width();
        const bool softmax = shape_.attention == CausalAttention::softmax;
        for (int at = 0; at < head_step(); at += kLanes) {
            L out[some];
            float sum[some];
#pragma GCC unroll 4
            for (int m = 0; m < some; ++m) {
                out[m] = zero_lanes<float>();
                sum[m] = 0.0F;
            }
            const float* value = values + first * head_step() + at;
            for (int j = 0; j <= round_; ++j, value += step)
#pragma GCC unroll 4
                for (int m = 0; m < some; ++m) {
                    const float weight = scores(first + m)[j];
                    sum[m] += weight;
                    out[m] = fma(L::broadcast(weight), L::load(value + m * head_step()), out[m]);
                }
            for (int m = 0; m < some; ++m) {
                float outputs[kLanes];
                out[m].store(outputs);
                const float inverse = 1.0F / (softmax ? sum[m] : static_cast<float>(round_ + 1));
                for (int r = at; r < c && r < at + kLanes; ++r) heads_[(first + m) * c + r] = outputs[r - at] * inverse;
            }
        }
    }
    // A maximum has the same bits in any order.
    float largest_of(const float* s) const {
        float largest = s[0];
        int j = 0;
        if (round_ + 1 >= kLanes) {
            L lanes = L::load(s);
            for (j = kLanes; j + kLanes <= round_ + 1; j += kLanes) lanes = max(lanes, L::load(s + j));
            float all[kLanes];
            lanes.store(all);
            for (const float x : all) largest = x > largest ? x : largest;
        }
        for (; j <= round_; ++j) largest = s[j] > largest ? s[j] : largest;
        return largest;
    }

    CausalTransformerShape shape_;
    CausalTransformerOffsets at_;
    ScalarBuffer<float> times_;
    LaneBuffer<float> store_;
    float *flat_, *W_token_, *W_out_, *layers_, *actions_;
    float *start_, *h_, *normed_, *heads_, *qkv_, *hidden_, *token_, *logits_, *scores_;
    int round_ = 0;
};

// The causal transformer in lanes: whole trajectories (causal_transformer_lanes.h) and round by round.

namespace {

template <class T>
class Transformer final : public CausalTransformer<T> {
    using L = Lanes<T>;

  public:
    Transformer(const CausalTransformerShape& shape, const T* times) : lanes_(shape, times) {}

    void set_weights(const T* weights) override { lanes_.set_weights(weights); }
    void take_gradient(T* gradient) override { lanes_.take_gradient(gradient); }

    void logits(const BanditHistory<T>& trajectory, T* logits) override {
        lanes_.forward(trajectory);
        const int arms = lanes_.shape().arms;
        for (int t = 0; t < trajectory.rounds; ++t)
            for (int a = 0; a < arms; ++a) logits[t * arms + a] = lanes_.logits()[a * lanes_.n() + t];
    }

    double add_cross_entropy(const BanditHistory<T>& trajectory, T factor) override {
        lanes_.forward(trajectory);
        double loss = 0;
        for (int first = 0; first < lanes_.n(); first += kLanes) loss += loss_of(trajectory, factor, first);
        lanes_.backward(trajectory);
        return loss;
    }

    void attention(int layer, int head, T* map) const override {
        const int rounds = lanes_.rounds();
        for (int i = 0; i < rounds; ++i)
            for (int j = 0; j < rounds; ++j) map[i * rounds + j] = j <= i ? lanes_.attention(layer, head, i, j) : T(0);
    }

  private:
    // The loss of one register of rounds; replaces their logits by the gradient.
    double loss_of(const BanditHistory<T>& trajectory, T factor, int first) {
        const int arms = lanes_.shape().arms, n = lanes_.n();
        T* logits = lanes_.logits() + first;
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

    CausalLanes<T> lanes_;
};

}  // namespace

template <class T>
CausalTransformer<T>* make_causal_transformer(const CausalTransformerShape& shape, const T* times) {
    return new Transformer<T>(shape, times);
}
template CausalTransformer<float>* make_causal_transformer(const CausalTransformerShape&, const float*);
#if defined(EMERGENCE_LANES_GENERIC)
template CausalTransformer<double>* make_causal_transformer(const CausalTransformerShape&, const double*);
#endif

CausalRollout* make_causal_rollout(const CausalTransformerShape& shape, const float* times) {
    return new CausalRolloutLanes(shape, times);
}

}  // namespace emergence::EMERGENCE_LANES
