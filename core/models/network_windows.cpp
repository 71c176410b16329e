#include "core/models/network_windows.h"

#include "core/base/check.h"
#include "core/models/network_limits.h"

namespace emergence {

// One a compiled instruction set, see network_windows_kernels.cpp.
#define EMERGENCE_DECLARE(set)                                                       \
    namespace set {                                                                  \
    template <class T>                                                               \
    WindowValues<T>* make_network_windows(const NetworkShape&, const PhasedLayout&); \
    }
EMERGENCE_DECLARE(lanes_generic)
#if defined(EMERGENCE_HAS_X86_LANES)
EMERGENCE_DECLARE(lanes_v3)
EMERGENCE_DECLARE(lanes_v4)
#endif
#undef EMERGENCE_DECLARE

namespace {
void check_shape(const NetworkShape& shape, const PhasedLayout& layout) {
    check(shape.d >= 1 && 2 * shape.d + 1 <= kMaxRows, "feature dimension");
    check(shape.layers >= 1 && shape.layers <= kMaxLayers, "number of layers");
    check(shape.model == Model::rnn || shape.stored == 1 || shape.stored == shape.layers,
          "stored layers are one or all");
    check(shape.width >= 1, "width of a recurrent layer");
    check(shape.context_length >= 1 && shape.context_length == layout.context_length && layout.batch >= 1,
          "context length and minibatch size");
}
}  // namespace

template <>
std::unique_ptr<WindowValues<float>> make_network_windows(const NetworkShape& shape,
                                                          const PhasedLayout& layout, InstructionSet set) {
    check_shape(shape, layout);
    using Result = std::unique_ptr<WindowValues<float>>;
#if defined(EMERGENCE_HAS_X86_LANES)
    if (set == InstructionSet::x86_64_v4) return Result(lanes_v4::make_network_windows<float>(shape, layout));
    if (set == InstructionSet::x86_64_v3) return Result(lanes_v3::make_network_windows<float>(shape, layout));
#endif
    (void)set;
    return Result(lanes_generic::make_network_windows<float>(shape, layout));
}

template <>
std::unique_ptr<WindowValues<double>> make_network_windows(const NetworkShape& shape,
                                                           const PhasedLayout& layout, InstructionSet) {
    check_shape(shape, layout);
    return std::unique_ptr<WindowValues<double>>(lanes_generic::make_network_windows<double>(shape, layout));
}

double network_windows_bytes(const NetworkShape& shape, const PhasedLayout& layout) {
    const double rows = shape.rows(), columns = shape.columns(), width = shape.width;
    const double a_prompt = shape.model == Model::rnn ? columns * (rows + shape.layers * width)
                                                      : shape.layers * columns * (3 * rows + columns + 1);
    return a_prompt * 16 * (layout.phases + 1) * sizeof(float);
}

}  // namespace emergence
