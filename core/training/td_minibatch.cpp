#include "core/training/td_minibatch.h"

#include "core/base/instruction_set.h"
#include "core/models/network_windows.h"

namespace emergence {

// One per compiled instruction set, see td_minibatch_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(template <class T> WindowValues<T>* make_batch_td_windows(int, int, const PhasedLayout&);)
EMERGENCE_DECLARE_ON_LANES(template <class T> TdMinibatchKernel<T>* make_td_minibatch_kernel(const NetworkShape&,
                                                                                             const PhasedLayout&,
                                                                                             bool);)

template <class T>
std::unique_ptr<WindowValues<T>> make_batch_td_windows(int d, int steps, const PhasedLayout& layout,
                                                       InstructionSet set) {
    return made_on_lanes(EMERGENCE_FLOAT_ON_LANES(T, set, make_batch_td_windows<T>(d, steps, layout)));
}
template std::unique_ptr<WindowValues<float>> make_batch_td_windows(int, int, const PhasedLayout&, InstructionSet);
template std::unique_ptr<WindowValues<double>> make_batch_td_windows(int, int, const PhasedLayout&, InstructionSet);

template <class T>
std::unique_ptr<TdMinibatchKernel<T>> make_td_minibatch_kernel(const NetworkShape& shape, const PhasedLayout& layout,
                                                               InstructionSet set, bool specialised) {
    check_network_shape(shape, layout);
    return made_on_lanes(EMERGENCE_FLOAT_ON_LANES(T, set, make_td_minibatch_kernel<T>(shape, layout, specialised)));
}
template std::unique_ptr<TdMinibatchKernel<float>> make_td_minibatch_kernel(const NetworkShape&, const PhasedLayout&,
                                                                            InstructionSet, bool);
template std::unique_ptr<TdMinibatchKernel<double>> make_td_minibatch_kernel(const NetworkShape&, const PhasedLayout&,
                                                                             InstructionSet, bool);

}  // namespace emergence
