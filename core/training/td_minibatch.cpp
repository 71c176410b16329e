#include "core/training/td_minibatch.h"

#include "core/base/check.h"
#include "core/base/lane_dispatch.h"
#include "core/models/network_limits.h"

namespace emergence {

// One per compiled instruction set, see td_minibatch_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(template <class T>
                           TdMinibatchKernel<T>* make_td_minibatch_kernel(const TdMinibatchShape&, bool);)

namespace {
void check_minibatch_shape(const TdMinibatchShape& shape) {
    check(shape.d >= 1 && 2 * shape.d + 1 <= kMaxRows, "feature dimension");
    check(shape.layers >= 1 && shape.layers <= kMaxLayers, "number of layers");
    check(shape.stored == 1 || shape.stored == shape.layers, "stored layers are one or all");
    check(shape.layout.context_length >= 1 && shape.layout.batch >= 1, "context length and minibatch size");
}
}  // namespace

template <>
std::unique_ptr<TdMinibatchKernel<float>> make_td_minibatch_kernel(const TdMinibatchShape& shape,
                                                                   InstructionSet set, bool specialised) {
    check_minibatch_shape(shape);
    using Result = std::unique_ptr<TdMinibatchKernel<float>>;
    return Result(EMERGENCE_ON_LANES(set, make_td_minibatch_kernel<float>(shape, specialised)));
}

template <>
std::unique_ptr<TdMinibatchKernel<double>> make_td_minibatch_kernel(const TdMinibatchShape& shape,
                                                                    InstructionSet, bool specialised) {
    check_minibatch_shape(shape);
    return std::unique_ptr<TdMinibatchKernel<double>>(
        lanes_generic::make_td_minibatch_kernel<double>(shape, specialised));
}

}  // namespace emergence
