#pragma once
// The values of any network for many separate prompts, and their gradients by the query. They measure networks
// whose value is not linear in the query.

#include <memory>

#include "core/models/network_shape.h"

namespace emergence {

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
