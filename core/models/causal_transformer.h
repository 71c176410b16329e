#pragma once
// The causal transformer that plays bandits. Without Eigen, since lane kernels include this header.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/instruction_set.h"
#include "core/models/network_windows.h"

namespace emergence {

/// softmax: exp(q' k / sqrt(head width)), normalised over the past, as in GPT. relu: ReLU(q' k) / i at position
/// i (from 1), Section 2.2, Chen et al. 2025.
enum class CausalAttention { softmax, relu };

/// The periods, in rounds, of the fixed sine-cosine features: geometric from 6 to 600.
constexpr int kPeriods = 12;

/// The sizes of one transformer.
struct CausalTransformerShape {
    int arms = 10;     // A
    int d = 32;        // entries of an arm's action vector
    int rounds = 200;  // T: as many learned positions
    int width = 32;
    int layers = 2;
    int heads = 2;
    int hidden = 128;  // of the MLP
    CausalAttention attention = CausalAttention::softmax;

    bool operator==(const CausalTransformerShape&) const = default;

    /// A token: [onehot a, r onehot a, r, x_a, r x_a] of the round before and the sines and cosines of t.
    constexpr int features() const { return 2 * arms + 1 + 2 * d + 2 * kPeriods; }
    constexpr int head_width() const { return width / heads; }
    /// The number of entries of all matrices, see CausalTransformerOffsets.
    constexpr size_t num_weights() const;
};

/// The offset of each matrix in the flat weights, row-major; vectors are columns.
struct CausalTransformerOffsets {
    struct Layer {
        size_t norm1_gain, norm1_bias;  // width
        size_t W_q, W_k, W_v, W_o;      // width x width
        size_t norm2_gain, norm2_bias;  // width
        size_t W_1, b_1;                // hidden x width, hidden
        size_t W_2, b_2;                // width x hidden, width
    };
    // width x features, width x (A d), width x T
    size_t W_token, W_actions, positions;
    size_t first_layer, layer_size;
    size_t norm_gain, norm_bias;  // width
    // A x width, A
    size_t W_out, b_out;
    size_t all;

    constexpr explicit CausalTransformerOffsets(const CausalTransformerShape& s)
        : width_(static_cast<size_t>(s.width)), hidden_(static_cast<size_t>(s.hidden)) {
        size_t next = 0;
        const auto take = [&](int columns) { return (next += width_ * columns) - width_ * columns; };
        W_token = take(s.features());
        W_actions = take(s.arms * s.d);
        positions = take(s.rounds);
        first_layer = next;
        layer_from(next);
        layer_size = next - first_layer;
        next = first_layer + s.layers * layer_size;
        norm_gain = take(1);
        norm_bias = take(1);
        W_out = take(s.arms);
        b_out = next;
        all = b_out + s.arms;
    }
    constexpr Layer layer(int l) const {
        size_t next = first_layer + l * layer_size;
        return layer_from(next);
    }

  private:
    // Moves `next` behind the layer.
    constexpr Layer layer_from(size_t& next) const {
        const auto take = [&next](size_t size) { return (next += size) - size; };
        const size_t w = width_, h = hidden_;
        return {take(w), take(w), take(w * w), take(w * w), take(w * w), take(w * w),
                take(w), take(w), take(h * w), take(h),     take(w * h), take(w)};
    }

    size_t width_, hidden_;
};

constexpr size_t CausalTransformerShape::num_weights() const { return CausalTransformerOffsets(*this).all; }

/// Added to the variance in a layer norm.
constexpr double kNormEpsilon = 1e-5;
/// Factor of the rewards in a token.
constexpr double kRewardScale = 1.0 / 3.0;

/// One trajectory of `rounds` rounds (at most the shape's): arms, rewards and best arms. The pointers must stay
/// valid during the call.
template <class T>
struct BanditHistory {
    int rounds = 0;
    const T* actions = nullptr;   // A x d, row-major: x_k
    const int* arms = nullptr;    // rounds: a_t
    const T* rewards = nullptr;   // rounds: r_t
    const int* labels = nullptr;  // rounds: argmax_k m_t(k); null if only logits are needed
};

// A causal transformer that plays bandits: one token per round, made from the round before, gives A logits.
//
//     f_t = [onehot a, r onehot a, r, x_a, r x_a, sines and cosines of t]    a, r: of round t-1
//     h_t = W_token f_t + W_actions vec(x_1 .. x_A) + positions_t
//     h <- h + W_o Attn(LN(h))                                               each layer (pre-LN)
//     h <- h + W_2 ReLU(W_1 LN(h) + b_1) + b_2
//     logits_t = W_out LN(h_t) + b_out
//
// r is scaled by 1/3; in the first round a, r and x_a are zero. The MLP is that of Section 2.2, Chen et al.
// 2025. Every instruction set gives the same bits (causal_transformer_kernels.cpp); the naive form is
// tests/claims/naive/causal_transformer_naive.h.

/// Forward and backward passes over whole trajectories. Reuses its workspace; not thread-safe. T: float, or
/// double for checks.
template <class T>
class CausalTransformer {
  public:
    virtual ~CausalTransformer() = default;

    /// Copies the flat weights. Call it before the first pass and after every change.
    virtual void set_weights(const T* weights) = 0;
    /// Forward pass. logits: rounds x A, row-major.
    virtual void logits(const BanditHistory<T>& trajectory, T* logits) = 0;
    /// Returns the sum over rounds of -log softmax(logits_t)[label_t], Eq. (6), Chen et al. 2025, and adds
    /// `factor` times its gradient to the sum that take_gradient() returns.
    virtual double add_cross_entropy(const BanditHistory<T>& trajectory, T factor) = 0;
    /// Overwrites `gradient` (flat) with the gradients added since the last call, then clears the sum.
    virtual void take_gradient(T* gradient) = 0;
    /// The attention of round i to round j <= i in the last pass. map: rounds x rounds, row-major, row i.
    virtual void attention(int layer, int head, T* map) const = 0;
};

/// A transformer of the given shape. Throws InputError as check_causal_shape() does.
template <class T>
std::unique_ptr<CausalTransformer<T>> make_causal_transformer(const CausalTransformerShape& shape,
                                                              InstructionSet set = instruction_set());

/// The same network played round by round with a key-value cache: the same logits, bit for bit.
class CausalRollout {
  public:
    virtual ~CausalRollout() = default;

    /// Copies the flat weights. Call it before the first begin() and after every change.
    virtual void set_weights(const float* weights) = 0;
    /// Starts a trajectory. actions: A x d, row-major, copied.
    virtual void begin(const float* actions) = 0;
    /// The A logits of the next round. arm, reward: of the round before, ignored in the first round. Call it
    /// at most as often as the shape has rounds.
    virtual void step(int arm, float reward, float* logits) = 0;
};

/// A rollout of the given shape. Throws InputError as check_causal_shape() does.
std::unique_ptr<CausalRollout> make_causal_rollout(const CausalTransformerShape& shape,
                                                   InstructionSet set = instruction_set());

/// Name and shape of each matrix in the flat weights, in order.
std::vector<NamedBlock> causal_transformer_blocks(const CausalTransformerShape& shape);

/// Initial flat weights: matrices N(0, 1 / columns), W_o and W_2 divided by sqrt(2 L) as in GPT-2; W_token
/// N(0, 0.3^2), so that a round's outcome stands out; W_actions and positions N(0, 0.02^2); gains 1, biases 0.
/// Our choice: the paper gives none. (A W_out as small as the positions lengthens the first plateau from 2,000
/// to 4,500 updates.)
std::vector<float> initial_causal_weights(const CausalTransformerShape& shape, uint64_t seed);

/// Throws InputError if a size is below its minimum or heads does not divide width.
void check_causal_shape(const CausalTransformerShape& shape);

}  // namespace emergence
