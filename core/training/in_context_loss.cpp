#include "core/training/in_context_loss.h"

#include "core/base/error.h"
#include "core/base/instruction_set.h"
#include "core/models/network_shape.h"

namespace emergence {

// One per compiled instruction set, see in_context_loss_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(template <class T> InContextLoss<T>* make_in_context_loss(const InContextShape&);)

template <class T>
std::unique_ptr<InContextLoss<T>> make_in_context_loss(const InContextShape& shape, InstructionSet set) {
    check(shape.rows >= 2 && shape.rows <= kMaxRows, "rows of a prompt");
    check(shape.layers >= 1 && shape.layers <= kMaxLayers, "number of layers");
    return made_on_lanes(EMERGENCE_ON_LANES(set, make_in_context_loss<T>(shape)));
}

template std::unique_ptr<InContextLoss<float>> make_in_context_loss(const InContextShape&, InstructionSet);
template std::unique_ptr<InContextLoss<double>> make_in_context_loss(const InContextShape&, InstructionSet);

}  // namespace emergence
