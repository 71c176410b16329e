#include "core/models/improvement_block.h"

#include "core/base/instruction_set.h"

namespace emergence {

// One per compiled instruction set, see improvement_block_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(template <class T>
                           ImprovementBlock<T>* make_improvement_block(int context, int query, int outputs, int n);)

template <class T>
std::unique_ptr<ImprovementBlock<T>> make_improvement_block(const ImprovementShape& shape, InstructionSet set) {
    return made_on_lanes(
        EMERGENCE_ON_LANES(set, make_improvement_block<T>(shape.context(), shape.query(), shape.outputs(), shape.n)));
}

template std::unique_ptr<ImprovementBlock<float>> make_improvement_block(const ImprovementShape&, InstructionSet);
template std::unique_ptr<ImprovementBlock<double>> make_improvement_block(const ImprovementShape&, InstructionSet);

}  // namespace emergence
