#include "core/training/batch_td_windows.h"

namespace emergence {

// One a compiled instruction set, see batch_td_windows_kernels.cpp.
#define EMERGENCE_DECLARE(set)                                             \
    namespace set {                                                        \
    template <class T>                                                     \
    WindowValues<T>* make_batch_td_windows(int, int, const PhasedLayout&); \
    }
EMERGENCE_DECLARE(lanes_generic)
#if defined(EMERGENCE_HAS_X86_LANES)
EMERGENCE_DECLARE(lanes_v3)
EMERGENCE_DECLARE(lanes_v4)
#endif
#undef EMERGENCE_DECLARE

template <>
std::unique_ptr<WindowValues<float>> make_batch_td_windows(int d, int steps, const PhasedLayout& layout,
                                                           InstructionSet set) {
    using Result = std::unique_ptr<WindowValues<float>>;
#if defined(EMERGENCE_HAS_X86_LANES)
    if (set == InstructionSet::x86_64_v4)
        return Result(lanes_v4::make_batch_td_windows<float>(d, steps, layout));
    if (set == InstructionSet::x86_64_v3)
        return Result(lanes_v3::make_batch_td_windows<float>(d, steps, layout));
#endif
    (void)set;
    return Result(lanes_generic::make_batch_td_windows<float>(d, steps, layout));
}

template <>
std::unique_ptr<WindowValues<double>> make_batch_td_windows(int d, int steps, const PhasedLayout& layout,
                                                            InstructionSet) {
    return std::unique_ptr<WindowValues<double>>(
        lanes_generic::make_batch_td_windows<double>(d, steps, layout));
}

}  // namespace emergence
