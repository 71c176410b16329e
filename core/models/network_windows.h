#pragma once
// Any network as WindowValues, one prompt per lane: the path of nonlinear attention and the recurrent network.
// Linear attention has a faster path.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/instruction_set.h"
#include "core/models/network_shape.h"
#include "core/models/window_values.h"
#include "core/tasks/phased_trajectory.h"

namespace emergence {

/// The network of the given shape. T: float (any instruction set) or double (generic). layout.context_length must
/// equal the shape's.
template <class T>
std::unique_ptr<WindowValues<T>> make_network_windows(const NetworkShape& shape, const PhasedLayout& layout,
                                                      InstructionSet set = instruction_set());

/// The same for linear attention with the algebra of gram_network.h: the general path of its training, for any loss. The
/// TD loss has a faster path with the same bits (core/training/td_minibatch.h).
template <class T>
std::unique_ptr<WindowValues<T>> make_linear_attention_windows(const NetworkShape& shape, const PhasedLayout& layout,
                                                               InstructionSet set = instruction_set());

/// The same for linear attention with a mask of traces or with two heads, NetworkShape::is_masked(): the algebra of
/// masked_network.h.
template <class T>
std::unique_ptr<WindowValues<T>> make_masked_windows(const NetworkShape& shape, const PhasedLayout& layout,
                                                     InstructionSet set = instruction_set());

/// Throws InvariantError for sizes that no kernel has.
void check_network_shape(const NetworkShape& shape, const PhasedLayout& layout);

/// The matrices in the flat weights: P0, P1, .. then Q0, Q1, .., each D x D, then lambda if it is learned; P1, Q1, P2, Q2
/// of two heads, or P1, Q12, P2, then W, D x 2D, if it is learned; or W_ax0, W_aa0, b_a0, W_ax1, .., W_o.
std::vector<NamedBlock> network_blocks(const NetworkShape& shape);

/// An untrained recurrent network. Its weights are uniform in +-1/sqrt(h), PyTorch's default; the paper gives no
/// initial distribution.
WindowNetwork make_rnn(const NetworkShape& shape, const PhasedLayout& layout, uint64_t seed);

/// Bytes of the tapes of make_network_windows<float>(), which grow with the minibatch.
double network_windows_bytes(const NetworkShape& shape, const PhasedLayout& layout);

// The values of any network for many separate prompts, and their gradients by the query. They measure networks
// whose value is not linear in the query.

/// A batch of prompts. Prompt p is the first n transitions of context context_of[p], and query p.
struct PromptBatch {
    // Each context: states x (d+1), phi(S_t) then R_{t+1}, at least n + 1 states.
    const float* contexts;
    // Floats from one context to the next.
    int context_size;
    // prompts
    const int* context_of;
    // prompts x d
    const float* queries;
    int prompts;
    float gamma;
};

/// Forward and backward passes of one shape, in float. Reuses its workspace; not thread-safe.
class NetworkPrompts {
  public:
    virtual ~NetworkPrompts() = default;
    /// Computes values (one per prompt) and by_query: prompts x d, d value / d phi(query), or null. weights: flat,
    /// as in network_windows.h.
    virtual void run(const PromptBatch& batch, const float* weights, float* values, float* by_query) = 0;
};

/// The network of the given shape.
std::unique_ptr<NetworkPrompts> make_network_prompts(const NetworkShape& shape);

}  // namespace emergence
