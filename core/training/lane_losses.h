#pragma once
// Losses that lane kernels compute with their gradients, without Eigen.

#include <memory>

#include "core/base/instruction_set.h"
#include "core/models/network_windows.h"
#include "core/tasks/layouts.h"

namespace emergence {

// One minibatch of multi-task TD (Algorithm 1, Wang et al. 2025, in the minibatch form of the authors' code), forward
// and backward, sixteen prompts at a time:
//
//     loss = (1/B) sum_t (R_{t+n+2} + gamma v(Z'_0) - v(Z_0))^2,   v(Z'_0) held fixed (semi-gradient)
//
// The reference, batch TD, has one parameter, the step size alpha, trained on the same prompts with the same loss.

/// `steps` steps of batch TD(0), Eq. (8), Wang et al. 2025, with C_l = alpha I from w = 0. T: float (any instruction
/// set) or double (generic).
template <class T>
std::unique_ptr<WindowValues<T>> make_batch_td_windows(int d, int steps, const PhasedLayout& layout,
                                                       InstructionSet set = instruction_set());

template <class T>
struct TdMinibatchInput {
    // (d+1) x layout.row_size(): phi, then R(S_t), in phase order.
    const T* trajectory;
    T gamma;
    // stored x D x D each, row-major.
    const T *P, *Q;
    // Batch TD's step size.
    T alpha;
};

/// The losses, mean squared TD errors, of the network and of batch TD, and their gradients.
template <class T>
struct TdMinibatchResult {
    T *P_gradient, *Q_gradient;  // stored x D x D each, overwritten
    T alpha_gradient, loss, batch_td_loss;
};

/// Runs minibatches of one shape. Reuses its workspace; not thread-safe.
template <class T>
class TdMinibatchKernel {
  public:
    virtual ~TdMinibatchKernel() = default;
    /// Forward and backward pass of one minibatch. Overwrites `result`.
    virtual void run(const TdMinibatchInput<T>& input, TdMinibatchResult<T>& result) = 0;
};

/// A kernel for linear attention of the given shape. T: float (any instruction set) or double (generic).
template <class T>
std::unique_ptr<TdMinibatchKernel<T>> make_td_minibatch_kernel(const NetworkShape& shape, const PhasedLayout& layout,
                                                               InstructionSet set = instruction_set());

// The in-context loss of Eq. (5), Ahn et al. 2023, over a fixed sample of prompts, its gradient, and the predictions:
//
//     loss = mean over prompts of ([Z_L]_{D, n+1} + target)^2,   prediction = -[Z_L]_{D, n+1}
//
// The network is the linear attention of in-context TD (core/models/gram_network.h) with D = d+1 rows.

/// D and L; each layer has its own P and Q.
struct InContextShape {
    int rows, layers;
};

/// Computes in T, float or double; sums over prompts are double. Reuses its workspace: not thread-safe. P, Q and their
/// gradients: L x D x D, row-major. All instruction sets give the same bits.
template <class T>
class InContextLoss {
  public:
    virtual ~InContextLoss() = default;
    /// Returns the loss and overwrites the gradients, unless both are null.
    virtual double loss(const GramView<T>& sample, const double* P, const double* Q, double* P_gradient,
                        double* Q_gradient) = 0;
    /// Writes one prediction per prompt, -[Z_L]_{D, n+1}.
    virtual void predict(const GramView<T>& sample, const double* P, const double* Q, double* predictions) = 0;
};

/// The loss for networks of the given shape.
template <class T>
std::unique_ptr<InContextLoss<T>> make_in_context_loss(const InContextShape& shape,
                                                       InstructionSet set = instruction_set());

}  // namespace emergence
