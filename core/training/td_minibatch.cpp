#include "core/training/td_minibatch.h"

#include "core/base/lane_dispatch.h"

namespace emergence {

// One per compiled instruction set, see batch_td_windows_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(template <class T>
                           WindowValues<T>* make_batch_td_windows(int, int, const PhasedLayout&);)

template <>
std::unique_ptr<WindowValues<float>> make_batch_td_windows(int d, int steps, const PhasedLayout& layout,
                                                           InstructionSet set) {
    using Result = std::unique_ptr<WindowValues<float>>;
    return Result(EMERGENCE_ON_LANES(set, make_batch_td_windows<float>(d, steps, layout)));
}

template <>
std::unique_ptr<WindowValues<double>> make_batch_td_windows(int d, int steps, const PhasedLayout& layout,
                                                            InstructionSet) {
    return std::unique_ptr<WindowValues<double>>(
        lanes_generic::make_batch_td_windows<double>(d, steps, layout));
}

// One per compiled instruction set, see td_minibatch_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(template <class T>
                           TdMinibatchKernel<T>* make_td_minibatch_kernel(const LinearAttentionShape&, bool);)

template <>
std::unique_ptr<TdMinibatchKernel<float>> make_td_minibatch_kernel(const LinearAttentionShape& shape,
                                                                   InstructionSet set, bool specialised) {
    check_shape(shape);
    using Result = std::unique_ptr<TdMinibatchKernel<float>>;
    return Result(EMERGENCE_ON_LANES(set, make_td_minibatch_kernel<float>(shape, specialised)));
}

template <>
std::unique_ptr<TdMinibatchKernel<double>> make_td_minibatch_kernel(const LinearAttentionShape& shape,
                                                                    InstructionSet, bool specialised) {
    check_shape(shape);
    return std::unique_ptr<TdMinibatchKernel<double>>(
        lanes_generic::make_td_minibatch_kernel<double>(shape, specialised));
}

}  // namespace emergence
