#pragma once
// One layer of linear attention, H + (1/n) V H (H' P H), that reads a prompt of Eq. (4) or (13) of Liang and
// Lai: only what the read-out sees of it, P12 (r x c) and the last rows of V21 (o x r). With x_i the context
// and q the query part of the prompt it writes, Eq. (15),
//     update = V21 z,  z = (1/n) sum_i x_i (x_i' y),  y = P12 q.
// In training a prompt is used once: gradients are products of two vectors and go straight into Adam.

#include <cstddef>
#include <memory>

#include "core/base/instruction_set.h"
#include "core/tasks/improvement_shape.h"

namespace emergence {

/// Where the weights stand: (c + o) rows of padded_row(r), the columns of P12, then the rows of V21.
struct ImprovementLayout {
    explicit ImprovementLayout(const ImprovementShape& shape)
        : context(shape.context()),
          query(shape.query()),
          outputs(shape.outputs()),
          stride(padded_row(shape.context())) {}

    int context, query, outputs, stride;  // r, c, o

    size_t size() const { return static_cast<size_t>((query + outputs) * stride); }
    size_t P12(int row, int column) const { return static_cast<size_t>(column * stride + row); }
    size_t V21(int row, int column) const { return static_cast<size_t>((query + row) * stride + column); }
};

/// Adam's state and its numbers of this step, see core/optim/adam.h: the parameters change by
/// -rate m / (sqrt(v) root + epsilon).
template <class T>
struct AdamStep {
    T* first_moment;
    T* second_moment;
    T beta1, beta2, epsilon;
    T rate;  // learning rate over 1 - beta1^t
    T root;  // 1 / sqrt(1 - beta2^t)
};

/// Computes in T, float or double. Keeps its workspace: not thread-safe. Prompts have to be of its shape;
/// entries of the padding stay 0. All instruction sets give the same bits.
template <class T>
class ImprovementBlock {
  public:
    virtual ~ImprovementBlock() = default;
    /// update: o.
    virtual void forward(const T* weights, const PromptView<T>& prompt, T* update) = 0;
    /// 1/2 |update - teacher|^2, and its gradient, as long as the weights.
    virtual T gradient(const T* weights, const PromptView<T>& prompt, T* gradient) = 0;
    /// The same loss, and one step of Adam on it. Where the loss or the gradient's square is not finite the
    /// step is not taken, and what is returned is not finite either.
    virtual T train(T* weights, const PromptView<T>& prompt, const AdamStep<T>& adam) = 0;
};

template <class T>
std::unique_ptr<ImprovementBlock<T>> make_improvement_block(const ImprovementShape& shape,
                                                            InstructionSet set = instruction_set());

}  // namespace emergence
