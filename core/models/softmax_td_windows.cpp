#include "core/models/softmax_td_windows.h"

#include "core/base/check.h"
#include "core/models/network_limits.h"

namespace emergence {

// One a compiled instruction set, see softmax_td_windows_kernels.cpp.
#define EMERGENCE_DECLARE(set)                                           \
    namespace set {                                                      \
    template <class T>                                                   \
    SoftmaxTdWindows<T>* make_softmax_td_windows(const SoftmaxTdShape&); \
    }
EMERGENCE_DECLARE(lanes_generic)
#if defined(EMERGENCE_HAS_X86_LANES)
EMERGENCE_DECLARE(lanes_v3)
EMERGENCE_DECLARE(lanes_v4)
#endif
#undef EMERGENCE_DECLARE

namespace {
void check_shape(const SoftmaxTdShape& shape) {
    check(shape.num_states >= 1, "number of states");
    check(shape.layers >= 1 && shape.layers <= kMaxLayers, "number of layers");
    check(shape.context_length >= 1 && shape.batch >= 1, "context length and minibatch size");
}
}  // namespace

template <>
std::unique_ptr<SoftmaxTdWindows<float>> make_softmax_td_windows(const SoftmaxTdShape& shape,
                                                                 InstructionSet set) {
    check_shape(shape);
    using Result = std::unique_ptr<SoftmaxTdWindows<float>>;
#if defined(EMERGENCE_HAS_X86_LANES)
    if (set == InstructionSet::x86_64_v4) return Result(lanes_v4::make_softmax_td_windows<float>(shape));
    if (set == InstructionSet::x86_64_v3) return Result(lanes_v3::make_softmax_td_windows<float>(shape));
#endif
    (void)set;
    return Result(lanes_generic::make_softmax_td_windows<float>(shape));
}

template <>
std::unique_ptr<SoftmaxTdWindows<double>> make_softmax_td_windows(const SoftmaxTdShape& shape,
                                                                  InstructionSet) {
    check_shape(shape);
    return std::unique_ptr<SoftmaxTdWindows<double>>(lanes_generic::make_softmax_td_windows<double>(shape));
}

}  // namespace emergence
