#pragma once
// A causal transformer that plays bandits: a token a round, made of the round before, and A logits.
//
//     f_t = [onehot a, r onehot a, r, x_a, r x_a] of round t-1 (zero for the first; r scaled by 1/3), sines
//     and cosines of t;  h = W_token f_t + W_actions vec(x_1 .. x_A) + positions_t layer: h <- h + W_o
//     Attn(LN(h)),  h <- h + W_2 ReLU(W_1 LN(h) + b_1) + b_2        (pre-LN) logits_t = W_out LN(h) + b_out
//
// The MLP is that of Section 2.2, Chen et al. 2025. Compiled for each instruction set with the same bits
// (causal_transformer_kernels.cpp); the naive form is causal_transformer_naive.h.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/instruction_set.h"
#include "core/models/causal_transformer_shape.h"
#include "core/models/window_values.h"

namespace emergence {

/// Forward and backward passes over whole trajectories. Keeps its workspace; not thread-safe. T: float, or
/// double for checks.
template <class T>
class CausalTransformer {
  public:
    virtual ~CausalTransformer() = default;

    /// weights: flat, copied. Needed before the first pass and after every change.
    virtual void set_weights(const T* weights) = 0;
    /// logits: rounds x A, row-major.
    virtual void logits(const BanditHistory<T>& trajectory, T* logits) = 0;
    /// The sum over rounds of -log softmax(logits_t)[label_t], eq. (6) of Chen et al. 2025; adds its gradient
    /// times `factor` to what gradient() gives.
    virtual double add_cross_entropy(const BanditHistory<T>& trajectory, T factor) = 0;
    /// The gradients added since the last call, flat, overwritten; begins anew.
    virtual void take_gradient(T* gradient) = 0;
    /// How much round i looks back at round j <= i in the last pass: rounds x rounds, row-major, rows i.
    virtual void attention(int layer, int head, T* map) const = 0;
};

template <class T>
std::unique_ptr<CausalTransformer<T>> make_causal_transformer(const CausalTransformerShape& shape,
                                                              InstructionSet set = instruction_set());

/// The same network played round by round with a key-value cache: the same logits, bit for bit.
class CausalRollout {
  public:
    virtual ~CausalRollout() = default;

    /// weights: flat, copied. Needed before the first begin() and after every change.
    virtual void set_weights(const float* weights) = 0;
    /// A new trajectory; actions: A x d, row-major, copied.
    virtual void begin(const float* actions) = 0;
    /// The logits of the next round, A of them. arm and reward: those of the round before, not read in the
    /// first round. At most the shape's number of rounds.
    virtual void step(int arm, float reward, float* logits) = 0;
};

std::unique_ptr<CausalRollout> make_causal_rollout(const CausalTransformerShape& shape,
                                                   InstructionSet set = instruction_set());

/// The flat weights by name, in order: the shape table.
std::vector<NamedBlock> causal_transformer_blocks(const CausalTransformerShape& shape);

/// Matrices N(0, 1 / columns), W_o and W_2 divided by sqrt(2 L) as in GPT-2; W_token N(0, 0.3^2), so that a
/// round's outcome stands out; W_actions and positions N(0, 0.02^2); gains 1, biases 0. Ours: the paper does
/// not say. (With W_out as small as the positions the first plateau lasts 4,500 updates, so 2,000.)
std::vector<float> initial_causal_weights(const CausalTransformerShape& shape, uint64_t seed);

/// Throws InputError where the sizes do not go together.
void check_causal_shape(const CausalTransformerShape& shape);

/// The multiplications of one forward pass over T rounds, attention's only where they are not masked.
double causal_forward_products(const CausalTransformerShape& shape);

}  // namespace emergence
