#pragma once
// The values that any network gives to separate prompts, many at a time, with their gradients by the query:
// how a network is measured whose value is not linear in the query.

#include <memory>

#include "core/models/network_shape.h"

namespace emergence {

/// Prompt p is the first n transitions of context context_of[p], and its own query.
struct PromptBatch {
    const float* contexts;  // each: states x (d+1), phi(S_t) then R_{t+1}, n + 1 states at least
    int context_size;       // floats from one context to the next
    const int* context_of;  // prompts
    const float* queries;   // prompts x d
    int prompts;
    float gamma;
};

/// Forward and backward passes of one shape, in float; keeps its workspace. Not thread-safe.
class NetworkPrompts {
  public:
    virtual ~NetworkPrompts() = default;
    /// values: prompts; by_query: prompts x d, d value / d phi of the query, or null. weights: flat, as in
    /// network_windows.h.
    virtual void run(const PromptBatch& batch, const float* weights, float* values, float* by_query) = 0;
};

std::unique_ptr<NetworkPrompts> make_network_prompts(const NetworkShape& shape);

}  // namespace emergence
