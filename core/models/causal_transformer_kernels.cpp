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
    explicit CausalRolloutLanes(const CausalTransformerShape& shape)
        : shape_(shape), weights_(shape), layers_(shape.layers) {
        arena_.lay_out([this] { lay_out(); });
    }

    void set_weights(const float* weights) override { weights_.set(weights); }

    void begin(const float* actions) override {
        round_ = 0;
        for (int k = 0; k < shape_.arms * shape_.d; ++k) actions_[k] = actions[k];
        for (int c = 0; c < shape_.width; ++c) start_[c] = weights_.of_actions(c, actions);
    }

    void step(int arm, float reward, float* logits) override {
        write_token(arm, reward);
        const int w = shape_.width;
        multiply(weights_.W_token, w, shape_.features(), token_, h_, false);
        for (int c = 0; c < w; ++c) h_[c] = (h_[c] + start_[c]) + weights_[at().positions][c * shape_.rounds + round_];
        for (int l = 0; l < shape_.layers; ++l) forward_layer(l);
        norm(at().norm_gain, at().norm_bias);
        multiply(weights_.W_out, shape_.arms, w, normed_, logits_, false);
        for (int a = 0; a < shape_.arms; ++a) logits[a] = logits_[a] + weights_[at().b_out][a];
        ++round_;
    }

  private:
    // keys: width x rounds; values: rounds x heads x padded head width.
    struct Layer {
        float *keys, *values;
    };
    int head_step() const { return padded(shape_.head_width()); }
    int rounds() const { return padded(shape_.rounds); }

    void lay_out() {
        for (Layer& layer : layers_)
            layer = {arena_.take(shape_.width, rounds()), arena_.take(rounds(), shape_.heads * head_step())};
        actions_ = arena_.take(shape_.arms, shape_.d);
        for (float** part : {&start_, &h_, &normed_, &heads_}) *part = arena_.take(shape_.width);
        qkv_ = arena_.take(3 * shape_.width);
        hidden_ = arena_.take(shape_.hidden);
        token_ = arena_.take(shape_.features());
        logits_ = arena_.take(shape_.arms);
        scores_ = arena_.take(rounds(), shape_.heads);
    }

    // y = W x, or y += W x if `add`. turned: W' with rows padded to whole virtual lanes.
    static void multiply(const float* turned, int outputs, int inputs, const float* x, float* y, bool add) {
        row_product(padded(outputs), inputs, x, turned, padded(outputs), y, add);
    }

    void write_token(int arm, float reward) {
        for (int k = 0; k < shape_.features(); ++k) token_[k] = 0.0F;
        const int a = round_ > 0 ? arm : 0;
        write_causal_token(shape_, round_ == 0, a, reward, actions_ + a * shape_.d, weights_.times(round_), token_);
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
            normed_[r] = std::fma((h_[r] - mean) * inverse, weights_[gain][r], weights_[bias][r]);
    }

    void forward_layer(int l) {
        const auto o = at().layer(l);
        const auto& W = weights_.layers[l];
        const Layer& mine = layers_[l];
        const int w = shape_.width, hidden = shape_.hidden, c = shape_.head_width();
        norm(o.norm1_gain, o.norm1_bias);
        multiply(W.W_qkv, 3 * w, w, normed_, qkv_, false);
        for (int r = 0; r < w; ++r) mine.keys[r * rounds() + round_] = qkv_[w + r];
        for (int m = 0; m < shape_.heads; ++m) {
            float* value = mine.values + (round_ * shape_.heads + m) * head_step();
            for (int r = 0; r < c; ++r) value[r] = qkv_[2 * w + m * c + r];
            score(m, qkv_ + m * c, mine.keys + m * c * rounds());
        }
        int m = 0;
        for (; m + 4 <= shape_.heads; m += 4) weigh_values<4>(m, mine.values);
        for (; m + 2 <= shape_.heads; m += 2) weigh_values<2>(m, mine.values);
        for (; m < shape_.heads; ++m) weigh_values<1>(m, mine.values);
        multiply(W.W_o, w, w, heads_, h_, true);
        norm(o.norm2_gain, o.norm2_bias);
        multiply(W.W_1, hidden, w, normed_, hidden_, false);
        for (int r = 0; r < hidden; ++r) {
            const float x = hidden_[r] + weights_[o.b_1][r];
            hidden_[r] = x > 0.0F ? x : 0.0F;
        }
        multiply(W.W_2, w, hidden, hidden_, h_, true);
        for (int r = 0; r < w; ++r) h_[r] += weights_[o.b_2][r];
    }

    float* scores(int head) const { return scores_ + head * rounds(); }

    // Writes the weights of a head's values.
    void score(int head, const float* q, const float* keys) {
        const int count = padded(round_ + 1);
        float* s = scores(head);
        row_product(count, shape_.head_width(), q, keys, rounds(), s, false);
        if (shape_.attention == CausalAttention::softmax) {
            const float factor = 1.0F / std::sqrt(static_cast<float>(shape_.head_width()));
            const L scale = L::broadcast(factor), start = L::broadcast(0.0F - factor * largest_of(s));
            for (int j = 0; j < count; j += kLanes) exp(fma(L::load(s + j), scale, start)).store(s + j);
        } else {
            for (int j = 0; j <= round_; ++j) s[j] = s[j] > 0.0F ? s[j] : 0.0F;
        }
    }
    // Writes the outputs of several heads at once: a single sum over rounds, in their order, would wait for each of its
    // additions.
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

    const CausalTransformerOffsets& at() const { return weights_.at; }

    CausalTransformerShape shape_;
    CausalWeights<float> weights_;
    LaneArena<float> arena_;
    std::vector<Layer> layers_;
    float *actions_, *start_, *h_, *normed_, *heads_, *qkv_, *hidden_, *token_, *logits_, *scores_;
    int round_ = 0;
};

template <class T>
CausalTransformer<T>* make_causal_transformer(const CausalTransformerShape& shape) {
    return new CausalLanes<T>(shape);
}
template CausalTransformer<float>* make_causal_transformer(const CausalTransformerShape&);
#if defined(EMERGENCE_LANES_GENERIC)
template CausalTransformer<double>* make_causal_transformer(const CausalTransformerShape&);
#endif

CausalRollout* make_causal_rollout(const CausalTransformerShape& shape) { return new CausalRolloutLanes(shape); }

}  // namespace emergence::EMERGENCE_LANES
