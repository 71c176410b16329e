#include "core/training/td_minibatch.h"

#include "core/base/lane_dispatch.h"

namespace emergence {

// One per compiled instruction set, see td_minibatch_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(template <class T>
                           WindowValues<T>* make_batch_td_windows(int, int, const PhasedLayout&);)
EMERGENCE_DECLARE_ON_LANES(template <class T>
                           TdMinibatchKernel<T>* make_td_minibatch_kernel(const LinearAttentionShape&, bool);)

template <class T>
std::unique_ptr<WindowValues<T>> make_batch_td_windows(int d, int steps, const PhasedLayout& layout,
                                                       InstructionSet set) {
    return made_on_lanes(EMERGENCE_FLOAT_ON_LANES(T, set, make_batch_td_windows<T>(d, steps, layout)));
}
template std::unique_ptr<WindowValues<float>> make_batch_td_windows(int, int, const PhasedLayout&,
                                                                    InstructionSet);
template std::unique_ptr<WindowValues<double>> make_batch_td_windows(int, int, const PhasedLayout&,
                                                                     InstructionSet);

template <class T>
std::unique_ptr<TdMinibatchKernel<T>> make_td_minibatch_kernel(const LinearAttentionShape& shape,
                                                               InstructionSet set, bool specialised) {
    check_shape(shape);
    return made_on_lanes(EMERGENCE_FLOAT_ON_LANES(T, set, make_td_minibatch_kernel<T>(shape, specialised)));
}
template std::unique_ptr<TdMinibatchKernel<float>> make_td_minibatch_kernel(const LinearAttentionShape&,
                                                                            InstructionSet, bool);
template std::unique_ptr<TdMinibatchKernel<double>> make_td_minibatch_kernel(const LinearAttentionShape&,
                                                                             InstructionSet, bool);

}  // namespace emergence
