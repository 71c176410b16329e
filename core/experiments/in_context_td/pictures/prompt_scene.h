#pragma once
// The prompt Z that every layer of in-context TD works on, as a sketch with its parts named.

#include "core/experiments/in_context_td/td.h"
#include "core/pictures/scene.h"

namespace emergence {

/// Z of Wang et al. 2025, Section 3: (2d + 1) x (n + 1), a column [phi; gamma phi'; R] per transition and the query's
/// [phi; 0; 0]. One moment, id "prompt".
Scene prompt_scene(const InContextTdConfig& config);

}  // namespace emergence
