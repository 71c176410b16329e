#include "core/measures/implicit_weights.h"

#include "core/base/lane_dispatch.h"

namespace emergence {

// One per compiled instruction set, see implicit_weights_kernels.cpp.
#define EMERGENCE_DECLARE(set)                                                          \
    namespace set {                                                                     \
    void network_implicit_weights(const GramBank&, const LinearAttentionView&, float*); \
    void batch_td_weights(const GramBank&, int, float, float*);                         \
    void value_errors(const ErrorGeometry&, const float*, float*);                      \
    }
EMERGENCE_EACH_LANES(EMERGENCE_DECLARE)
#undef EMERGENCE_DECLARE

void network_implicit_weights(const GramBank& bank, const LinearAttentionView& network, float* weights) {
    EMERGENCE_ON_LANES(instruction_set(), network_implicit_weights(bank, network, weights));
}

void batch_td_weights(const GramBank& bank, int layers, float alpha, float* weights) {
    EMERGENCE_ON_LANES(instruction_set(), batch_td_weights(bank, layers, alpha, weights));
}

void value_errors(const ErrorGeometry& geometry, const float* weights, float* errors) {
    EMERGENCE_ON_LANES(instruction_set(), value_errors(geometry, weights, errors));
}

}  // namespace emergence
