#pragma once
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

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/instruction_set.h"
#include "core/models/causal_transformer_shape.h"
#include "core/models/window_values.h"

namespace emergence {

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
