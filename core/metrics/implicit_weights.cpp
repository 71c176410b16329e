#include "core/metrics/implicit_weights.h"

#include "core/base/instruction_set.h"

namespace emergence {

// One a compiled instruction set, see implicit_weights_kernels.cpp.
#define EMERGENCE_DECLARE(set)                                                          \
    namespace set {                                                                     \
    void network_implicit_weights(const GramBank&, const LinearAttentionView&, float*); \
    void batch_td_weights(const GramBank&, int, float, float*);                         \
    void value_errors(const ErrorGeometry&, const float*, float*);                      \
    }
EMERGENCE_DECLARE(lanes_generic)
#if defined(EMERGENCE_HAS_X86_LANES)
EMERGENCE_DECLARE(lanes_v3)
EMERGENCE_DECLARE(lanes_v4)
#endif
#undef EMERGENCE_DECLARE

void network_implicit_weights(const GramBank& bank, const LinearAttentionView& network, float* weights) {
#if defined(EMERGENCE_HAS_X86_LANES)
    if (instruction_set() == InstructionSet::x86_64_v4)
        return lanes_v4::network_implicit_weights(bank, network, weights);
    if (instruction_set() == InstructionSet::x86_64_v3)
        return lanes_v3::network_implicit_weights(bank, network, weights);
#endif
    lanes_generic::network_implicit_weights(bank, network, weights);
}

void batch_td_weights(const GramBank& bank, int layers, float alpha, float* weights) {
#if defined(EMERGENCE_HAS_X86_LANES)
    if (instruction_set() == InstructionSet::x86_64_v4)
        return lanes_v4::batch_td_weights(bank, layers, alpha, weights);
    if (instruction_set() == InstructionSet::x86_64_v3)
        return lanes_v3::batch_td_weights(bank, layers, alpha, weights);
#endif
    lanes_generic::batch_td_weights(bank, layers, alpha, weights);
}

void value_errors(const ErrorGeometry& geometry, const float* weights, float* errors) {
#if defined(EMERGENCE_HAS_X86_LANES)
    if (instruction_set() == InstructionSet::x86_64_v4)
        return lanes_v4::value_errors(geometry, weights, errors);
    if (instruction_set() == InstructionSet::x86_64_v3)
        return lanes_v3::value_errors(geometry, weights, errors);
#endif
    lanes_generic::value_errors(geometry, weights, errors);
}

}  // namespace emergence
