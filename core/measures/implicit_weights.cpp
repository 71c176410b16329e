#include "core/measures/implicit_weights.h"

#include "core/base/instruction_set.h"

namespace emergence {

// One per compiled instruction set, see implicit_weights_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(void network_implicit_weights(const GramBank&, const LinearAttentionView&, float*);)
EMERGENCE_DECLARE_ON_LANES(void batch_td_weights(const GramBank&, int, float, float*);)
EMERGENCE_DECLARE_ON_LANES(void value_errors(const ErrorGeometry&, const float*, float*);)
EMERGENCE_DECLARE_ON_LANES(void compare_weights(const ComparisonGeometry&, int, const float*, const float*,
                                                ComparedGroup&);)

void network_implicit_weights(const GramBank& bank, const LinearAttentionView& network, float* weights) {
    EMERGENCE_ON_LANES(instruction_set(), network_implicit_weights(bank, network, weights));
}

void batch_td_weights(const GramBank& bank, int layers, float alpha, float* weights) {
    EMERGENCE_ON_LANES(instruction_set(), batch_td_weights(bank, layers, alpha, weights));
}

void compare_weights(const ComparisonGeometry& geometry, int group, const float* weights, const float* other,
                     ComparedGroup& compared) {
    EMERGENCE_ON_LANES(instruction_set(), compare_weights(geometry, group, weights, other, compared));
}

void value_errors(const ErrorGeometry& geometry, const float* weights, float* errors) {
    EMERGENCE_ON_LANES(instruction_set(), value_errors(geometry, weights, errors));
}

}  // namespace emergence
