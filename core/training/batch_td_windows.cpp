#include "core/training/batch_td_windows.h"

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

}  // namespace emergence
