#pragma once
// The causal transformer round by round, one trajectory a virtual lane, keys and values kept: the same
// products in the same order as the whole forward pass, and so the same bits.

#include <cmath>
#include <initializer_list>

#include "core/base/lane_math.h"
#include "core/models/causal_transformer_tape.h"

namespace emergence::EMERGENCE_LANES {

class CausalRolloutLanes {
    using L = Lanes<float>;
    static constexpr int kWide = kVirtualLanes;

  public:
    CausalRolloutLanes(const CausalTransformerShape& shape, const float* times)
        : shape_(shape), times_(times), weights_(shape), actions_(size(shape.arms * shape.d)) {
        LaneArena<float> arena;
        lay_out(arena);
        arena.place(store_);
        lay_out(arena);
    }

    void begin(const float* weights, const float* const* actions) {
        weights_.set(weights);
        round_ = 0;
        const int inputs = shape_.arms * shape_.d;
        for (int i = 0; i < kWide; ++i)
            for (int k = 0; k < inputs; ++k)
                actions_.data()[k * kWide + i] = actions[i] ? actions[i][k] : 0.0F;
        multiply(weights_.at.W_actions, shape_.width, inputs, actions_.data(), start_);
    }

    void step(const int* arms, const float* rewards, float* logits) {
        write_token(arms, rewards);
        const int w = shape_.width;
        const auto& at = weights_.at;
        product<float>(w, kWide, shape_.features(), weights_.forward(at.W_token, w), token_, kWide, h_,
                       kWide);
        for (int c = 0; c < w; ++c)
            each(c, [&](int i) {
                const L position = L::broadcast(weights_[at.positions][c * shape_.rounds + round_]);
                ((L::load(h_ + i) + L::load(start_ + i)) + position).store(h_ + i);
            });
        for (int l = 0; l < shape_.layers; ++l) layer(l, at.layer(l));
        norm(at.norm_gain, at.norm_bias);
        product<float>(shape_.arms, kWide, w, weights_.forward(at.W_out, shape_.arms), normed_, kWide,
                       logits_, kWide);
        for (int a = 0; a < shape_.arms; ++a)
            for (int i = 0; i < kWide; ++i)
                logits[i * shape_.arms + a] = logits_[a * kWide + i] + weights_[at.b_out][a];
        ++round_;
    }
    int round() const { return round_; }

  private:
    static size_t size(int rows) { return static_cast<size_t>(rows) * kWide; }

    void lay_out(LaneArena<float>& arena) {
        const int w = shape_.width;
        for (float** part : {&start_, &h_, &normed_, &heads_}) *part = arena.take(size(w));
        qkv_ = arena.take(size(3 * w));
        hidden_ = arena.take(size(shape_.hidden));
        token_ = arena.take(size(shape_.features()));
        logits_ = arena.take(size(shape_.arms));
        scores_ = arena.take(size(shape_.rounds));
        keys_ = arena.take(size(shape_.layers * shape_.rounds * w));
        values_ = arena.take(size(shape_.layers * shape_.rounds * w));
    }

    // Calls work(offset) for the registers of a row.
    template <class Work>
    static void each(int row, const Work& work) {
        for (int part = 0; part < kParts; ++part) work(row * kWide + part * kLanes);
    }

    // out = W in for a matrix that is not kept transposed.
    void multiply(size_t offset, int rows, int columns, const float* in, float* out) const {
        product<float>(rows, kWide, columns, {weights_[offset], columns, 1}, in, kWide, out, kWide);
    }

    void write_token(const int* played, const float* rewards) {
        const int arms = shape_.arms, d = shape_.d;
        for (size_t i = 0; i < size(shape_.features()); ++i) token_[i] = 0.0F;
        for (int i = 0; i < kWide && round_ > 0; ++i) {
            const int a = played[i];
            const float r = rewards[i] * static_cast<float>(kRewardScale);
            token_[a * kWide + i] = 1.0F;
            token_[(arms + a) * kWide + i] = r;
            token_[2 * arms * kWide + i] = r;
            for (int k = 0; k < d; ++k) {
                const float x = actions_.data()[(a * d + k) * kWide + i];
                token_[(2 * arms + 1 + k) * kWide + i] = x;
                token_[(2 * arms + 1 + d + k) * kWide + i] = r * x;
            }
        }
        for (int k = 0; k < 2 * kPeriods; ++k)
            for (int i = 0; i < kWide; ++i)
                token_[(2 * arms + 1 + 2 * d + k) * kWide + i] = times_[round_ * 2 * kPeriods + k];
    }

    void norm(size_t gain, size_t bias) const {
        const int w = shape_.width;
        const L share = L::broadcast(1.0F / static_cast<float>(w));
        for (int part = 0; part < kWide; part += kLanes) {
            L mean = zero_lanes<float>(), squares = zero_lanes<float>();
            for (int r = 0; r < w; ++r) mean = mean + L::load(h_ + r * kWide + part);
            mean = mean * share;
            for (int r = 0; r < w; ++r) {
                const L x = L::load(h_ + r * kWide + part) - mean;
                squares = fma(x, x, squares);
            }
            const L inverse = L::broadcast(1.0F) /
                              sqrt(fma(squares, share, L::broadcast(static_cast<float>(kNormEpsilon))));
            for (int r = 0; r < w; ++r) {
                const L x = (L::load(h_ + r * kWide + part) - mean) * inverse;
                fma(x, L::broadcast(weights_[gain][r]), L::broadcast(weights_[bias][r]))
                    .store(normed_ + r * kWide + part);
            }
        }
    }

    void layer(int l, const CausalTransformerOffsets::Layer& o) {
        const int w = shape_.width, hidden = shape_.hidden;
        norm(o.norm1_gain, o.norm1_bias);
        product<float>(3 * w, kWide, w, weights_.forward(o.W_q, 3 * w), normed_, kWide, qkv_, kWide);
        const size_t past = size(l * shape_.rounds * w);
        for (size_t i = 0; i < size(w); ++i) {
            keys_[past + size(round_ * w) + i] = qkv_[size(w) + i];
            values_[past + size(round_ * w) + i] = qkv_[size(2 * w) + i];
        }
        for (int m = 0; m < shape_.heads; ++m)
            for (int part = 0; part < kWide; part += kLanes) {
                const size_t first = size(m * shape_.head_width()) + static_cast<size_t>(part);
                attend(qkv_ + first, keys_ + past + first, values_ + past + first, heads_ + first,
                       scores_ + part);
            }
        product<float>(w, kWide, w, weights_.forward(o.W_o, w), heads_, kWide, h_, kWide, true);
        norm(o.norm2_gain, o.norm2_bias);
        product<float>(hidden, kWide, w, weights_.forward(o.W_1, hidden), normed_, kWide, hidden_, kWide);
        for (int r = 0; r < hidden; ++r)
            each(r, [&](int i) {
                max(L::load(hidden_ + i) + L::broadcast(weights_[o.b_1][r]), zero_lanes<float>())
                    .store(hidden_ + i);
            });
        product<float>(w, kWide, hidden, weights_.forward(o.W_2, w), hidden_, kWide, h_, kWide, true);
        for (int r = 0; r < w; ++r)
            each(r, [&](int i) { (L::load(h_ + i) + L::broadcast(weights_[o.b_2][r])).store(h_ + i); });
    }

    // One head of one register's trajectories; all rows kWide apart, rounds width() rows.
    void attend(const float* q, const float* keys, const float* values, float* out, float* scores) const {
        const int count = round_ + 1;
        int j = 0;
        for (; j + 8 <= count; j += 8) score<8>(q, keys, j, scores);
        for (; j < count; ++j) score<1>(q, keys, j, scores);
        const L inverse = shape_.attention == CausalAttention::softmax ? softmax(scores) : rectify(scores);
        int c = 0;
        for (; c + 8 <= shape_.head_width(); c += 8) gather<8>(values, c, scores, inverse, out);
        for (; c < shape_.head_width(); ++c) gather<1>(values, c, scores, inverse, out);
    }
    template <int Count>
    void score(const float* q, const float* keys, int j, float* scores) const {
        const size_t step = size(shape_.width);
        L sum[Count];
        for (L& s : sum) s = zero_lanes<float>();
        for (int c = 0; c < shape_.head_width(); ++c) {
            const L query = L::load(q + c * kWide);
#pragma GCC unroll 8
            for (int k = 0; k < Count; ++k)
                sum[k] = fma(L::load(keys + static_cast<size_t>(j + k) * step + size(c)), query, sum[k]);
        }
#pragma GCC unroll 8
        for (int k = 0; k < Count; ++k) sum[k].store(scores + (j + k) * kWide);
    }
    template <int Count>
    void gather(const float* values, int c, const float* scores, const L& inverse, float* out) const {
        const size_t step = size(shape_.width);
        L sum[Count];
        for (L& s : sum) s = zero_lanes<float>();
        for (int j = 0; j <= round_; ++j) {
            const L e = L::load(scores + j * kWide);
            const float* row = values + static_cast<size_t>(j) * step + size(c);
#pragma GCC unroll 8
            for (int k = 0; k < Count; ++k) sum[k] = fma(L::load(row + k * kWide), e, sum[k]);
        }
#pragma GCC unroll 8
        for (int k = 0; k < Count; ++k) (sum[k] * inverse).store(out + (c + k) * kWide);
    }
    L softmax(float* scores) const {
        L largest = L::load(scores);
        for (int j = 1; j <= round_; ++j) largest = max(largest, L::load(scores + j * kWide));
        const L factor = L::broadcast(1.0F / std::sqrt(static_cast<float>(shape_.head_width())));
        const L start = zero_lanes<float>() - factor * largest;
        L sum = zero_lanes<float>();
        for (int j = 0; j <= round_; ++j) {
            const L e = exp(fma(L::load(scores + j * kWide), factor, start));
            sum = sum + e;
            e.store(scores + j * kWide);
        }
        return L::broadcast(1.0F) / sum;
    }
    L rectify(float* scores) const {
        for (int j = 0; j <= round_; ++j)
            max(L::load(scores + j * kWide), zero_lanes<float>()).store(scores + j * kWide);
        return L::broadcast(1.0F / static_cast<float>(round_ + 1));
    }

    CausalTransformerShape shape_;
    const float* times_;
    CausalWeights<float> weights_;
    LaneBuffer<float> store_, actions_;
    float *start_, *h_, *normed_, *heads_, *qkv_, *hidden_, *token_, *logits_, *scores_, *keys_, *values_;
    int round_ = 0;
};

}  // namespace emergence::EMERGENCE_LANES
