#include "core/models/linear_attention_windows.h"

#include "core/base/check.h"
#include "core/base/lane_dispatch.h"
#include "core/models/network_shape.h"

namespace emergence {

// One per compiled instruction set, see linear_attention_windows_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(template <class T>
                           WindowValues<T>* make_linear_attention_windows(const LinearAttentionShape&);)

void check_shape(const LinearAttentionShape& shape) {
    check(shape.d >= 1 && 2 * shape.d + 1 <= kMaxRows, "feature dimension");
    check(shape.layers >= 1 && shape.layers <= kMaxLayers, "number of layers");
    check(shape.stored == 1 || shape.stored == shape.layers, "stored layers are one or all");
    check(shape.layout.context_length >= 1 && shape.layout.batch >= 1, "context length and minibatch size");
}

std::vector<NamedBlock> linear_attention_blocks(int d, int stored) {
    std::vector<NamedBlock> blocks;
    const int rows = 2 * d + 1;
    size_t offset = 0;
    for (const char* matrix : {"P", "Q"})
        for (int l = 0; l < stored; ++l) {
            blocks.push_back({matrix + std::to_string(l), rows, rows, offset});
            offset += blocks.back().size();
        }
    return blocks;
}

template <class T>
std::unique_ptr<WindowValues<T>> make_linear_attention_windows(const LinearAttentionShape& shape,
                                                               InstructionSet set) {
    check_shape(shape);
    return made_on_lanes(EMERGENCE_FLOAT_ON_LANES(T, set, make_linear_attention_windows<T>(shape)));
}
template std::unique_ptr<WindowValues<float>> make_linear_attention_windows(const LinearAttentionShape&,
                                                                            InstructionSet);
template std::unique_ptr<WindowValues<double>> make_linear_attention_windows(const LinearAttentionShape&,
                                                                             InstructionSet);

}  // namespace emergence
