#pragma once
// One layer of linear attention, H + (1/n) V H (H' P H), on a prompt of Eq. (4) or (13), Liang and Lai. Only the
// blocks that the read-out sees are stored: P12 (r x c) and the last rows of V21 (o x r). For context columns
// x_i and the query part q of the prompt, Eq. (15):
//
//     y = P12 q,   z = (1/n) sum_i x_i (x_i' y),   update = V21 z
//
// Training uses each prompt once: a gradient is a product of two vectors and goes straight into Adam.

#include <cstddef>
#include <memory>

#include "core/base/instruction_set.h"
#include "core/tasks/layouts.h"

namespace emergence {

/// The layout of the weights: c + o rows of padded_row(r) entries, the columns of P12, then the rows of V21.
struct ImprovementLayout {
    explicit ImprovementLayout(const ImprovementShape& s)
        : context(s.context()), query(s.query()), outputs(s.outputs()) {}

    int context, query, outputs, stride = padded_row(context);  // r, c, o, padded_row(r)

    int size() const { return (query + outputs) * stride; }
    int P12(int row, int column) const { return column * stride + row; }
    int V21(int row, int column) const { return (query + row) * stride + column; }
};

/// Adam's state and its numbers for one step t (core/optim/adam.h). The weights change by
///
///     -rate m / (sqrt(v) root + epsilon)
template <class T>
struct AdamStep {
    T* first_moment;
    T* second_moment;
    T beta1, beta2, epsilon;
    T rate;  // learning rate over 1 - beta1^t
    T root;  // 1 / sqrt(1 - beta2^t)
};

/// Passes of one shape in T, float or double. Reuses its workspace: not thread-safe. Padding stays 0. All
/// instruction sets give the same bits.
template <class T>
class ImprovementBlock {
  public:
    virtual ~ImprovementBlock() = default;
    /// Writes the update, o entries.
    virtual void forward(const T* weights, const PromptView<T>& prompt, T* update) = 0;
    /// Returns 1/2 |update - teacher|^2 and takes one step of Adam on it. If the loss or the squared gradient is not
    /// finite, it takes no step and returns inf or NaN.
    virtual T train(T* weights, const PromptView<T>& prompt, const AdamStep<T>& adam) = 0;
};

/// A block of the given shape.
template <class T>
std::unique_ptr<ImprovementBlock<T>> make_improvement_block(const ImprovementShape& shape,
                                                            InstructionSet set = instruction_set());

}  // namespace emergence
