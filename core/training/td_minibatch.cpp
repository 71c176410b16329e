#include "core/training/td_minibatch.h"

#include "core/base/check.h"
#include "core/models/network_limits.h"

namespace emergence {

// One a compiled instruction set, see td_minibatch_kernels.cpp.
#define EMERGENCE_DECLARE(set)                                                     \
    namespace set {                                                                \
    template <class T>                                                             \
    TdMinibatchKernel<T>* make_td_minibatch_kernel(const TdMinibatchShape&, bool); \
    }
EMERGENCE_DECLARE(lanes_generic)
#if defined(EMERGENCE_HAS_X86_LANES)
EMERGENCE_DECLARE(lanes_v3)
EMERGENCE_DECLARE(lanes_v4)
#endif
#undef EMERGENCE_DECLARE

namespace {
void check_shape(const TdMinibatchShape& shape) {
    check(shape.d >= 1 && 2 * shape.d + 1 <= kMaxRows, "feature dimension");
    check(shape.layers >= 1 && shape.layers <= kMaxLayers, "number of layers");
    check(shape.stored == 1 || shape.stored == shape.layers, "stored layers are one or all");
    check(shape.layout.context_length >= 1 && shape.layout.batch >= 1, "context length and minibatch size");
}
}  // namespace

template <>
std::unique_ptr<TdMinibatchKernel<float>> make_td_minibatch_kernel(const TdMinibatchShape& shape,
                                                                   InstructionSet set, bool specialised) {
    check_shape(shape);
    using Result = std::unique_ptr<TdMinibatchKernel<float>>;
#if defined(EMERGENCE_HAS_X86_LANES)
    if (set == InstructionSet::x86_64_v4)
        return Result(lanes_v4::make_td_minibatch_kernel<float>(shape, specialised));
    if (set == InstructionSet::x86_64_v3)
        return Result(lanes_v3::make_td_minibatch_kernel<float>(shape, specialised));
#endif
    (void)set;
    return Result(lanes_generic::make_td_minibatch_kernel<float>(shape, specialised));
}

template <>
std::unique_ptr<TdMinibatchKernel<double>> make_td_minibatch_kernel(const TdMinibatchShape& shape,
                                                                    InstructionSet, bool specialised) {
    check_shape(shape);
    return std::unique_ptr<TdMinibatchKernel<double>>(
        lanes_generic::make_td_minibatch_kernel<double>(shape, specialised));
}

}  // namespace emergence
