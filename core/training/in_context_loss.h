#pragma once
// The in-context loss of Eq. (5), Ahn et al. 2023, over a fixed sample of prompts, its gradient, and the predictions:
//
//     loss = mean over prompts of ([Z_L]_{D, n+1} + target)^2,   prediction = -[Z_L]_{D, n+1}
//
// The network is the linear attention of in-context TD (core/models/gram_network.h) with D = d+1 rows.

#include <memory>

#include "core/base/instruction_set.h"
#include "core/tasks/layouts.h"

namespace emergence {

/// The sizes of the network; each layer has its own P and Q.
struct InContextShape {
    int rows;    // D, of Z
    int layers;  // L
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
    /// Writes weights: prompts x D, such that the prediction for a query column z is <weights, z>. Their first d
    /// entries are the w of Lemma 2.
    virtual void implicit_weights(const GramView<T>& sample, const double* P, const double* Q, double* weights) = 0;
};

/// The loss for networks of the given shape.
template <class T>
std::unique_ptr<InContextLoss<T>> make_in_context_loss(const InContextShape& shape,
                                                       InstructionSet set = instruction_set());

}  // namespace emergence
