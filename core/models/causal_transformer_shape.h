#pragma once
// The sizes of the causal transformer for bandits. Plain data, since lane kernels include this header.

#include <cstddef>

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
    /// W_q, W_k, W_v, W_o, two layer norms, W_1, b_1, W_2, b_2.
    constexpr size_t layer_weights() const {
        const auto w = static_cast<size_t>(width), h = static_cast<size_t>(hidden);
        return 4 * w * w + 4 * w + 2 * w * h + h + w;
    }
    constexpr size_t num_weights() const {
        const auto w = static_cast<size_t>(width), a = static_cast<size_t>(arms);
        return w * (static_cast<size_t>(features()) + a * static_cast<size_t>(d) + static_cast<size_t>(rounds)) +
               static_cast<size_t>(layers) * layer_weights() + 2 * w + a * w + a;
    }
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
    // width
    size_t norm_gain, norm_bias;
    // A x width, A
    size_t W_out, b_out;
    size_t first_layer, layer_size;

    constexpr explicit CausalTransformerOffsets(const CausalTransformerShape& s)
        : W_token(0), layer_size(s.layer_weights()) {
        const auto w = static_cast<size_t>(s.width);
        W_actions = W_token + w * static_cast<size_t>(s.features());
        positions = W_actions + w * static_cast<size_t>(s.arms * s.d);
        first_layer = positions + w * static_cast<size_t>(s.rounds);
        norm_gain = first_layer + static_cast<size_t>(s.layers) * layer_size;
        norm_bias = norm_gain + w;
        W_out = norm_bias + w;
        b_out = W_out + static_cast<size_t>(s.arms) * w;
        width_ = w;
        hidden_ = static_cast<size_t>(s.hidden);
    }
    constexpr Layer layer(int l) const {
        const size_t w = width_, h = hidden_;
        Layer at{};
        at.norm1_gain = first_layer + static_cast<size_t>(l) * layer_size;
        at.norm1_bias = at.norm1_gain + w;
        at.W_q = at.norm1_bias + w;
        at.W_k = at.W_q + w * w;
        at.W_v = at.W_k + w * w;
        at.W_o = at.W_v + w * w;
        at.norm2_gain = at.W_o + w * w;
        at.norm2_bias = at.norm2_gain + w;
        at.W_1 = at.norm2_bias + w;
        at.b_1 = at.W_1 + h * w;
        at.W_2 = at.b_1 + h;
        at.b_2 = at.W_2 + w * h;
        return at;
    }

  private:
    size_t width_ = 0, hidden_ = 0;
};

/// Added to the variance in a layer norm.
constexpr double kNormEpsilon = 1e-5;
/// Factor of the rewards in a token.
constexpr double kRewardScale = 1.0 / 3.0;

/// One trajectory of `rounds` rounds (at most the shape's): arms, rewards and best arms. The pointers must stay
/// valid during the call.
template <class T>
struct BanditHistory {
    int rounds = 0;
    // A x d, row-major: x_k.
    const T* actions = nullptr;
    // rounds: a_t.
    const int* arms = nullptr;
    // rounds: r_t.
    const T* rewards = nullptr;
    // rounds: argmax_k m_t(k); null if only logits are needed.
    const int* labels = nullptr;
};

}  // namespace emergence
