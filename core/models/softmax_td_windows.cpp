#include "core/models/softmax_td_windows.h"

#include "core/base/check.h"
#include "core/base/lane_dispatch.h"
#include "core/models/network_limits.h"

namespace emergence {

// See softmax_td_windows_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(template <class T>
                           SoftmaxTdWindows<T>* make_softmax_td_windows(const SoftmaxTdShape&);)

namespace {
void check_softmax_td_shape(const SoftmaxTdShape& shape) {
    check(shape.num_states >= 1, "number of states");
    check(shape.layers >= 1 && shape.layers <= kMaxLayers, "number of layers");
    check(shape.context_length >= 1 && shape.batch >= 1, "context length and minibatch size");
}
}  // namespace

template <>
std::unique_ptr<SoftmaxTdWindows<float>> make_softmax_td_windows(const SoftmaxTdShape& shape,
                                                                 InstructionSet set) {
    check_softmax_td_shape(shape);
    return std::unique_ptr<SoftmaxTdWindows<float>>(
        EMERGENCE_ON_LANES(set, make_softmax_td_windows<float>(shape)));
}

template <>
std::unique_ptr<SoftmaxTdWindows<double>> make_softmax_td_windows(const SoftmaxTdShape& shape,
                                                                  InstructionSet) {
    check_softmax_td_shape(shape);
    return std::unique_ptr<SoftmaxTdWindows<double>>(lanes_generic::make_softmax_td_windows<double>(shape));
}

}  // namespace emergence
