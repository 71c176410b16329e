#pragma once
// The in-context loss of Eq. (5), Ahn et al. 2023, over a fixed sample of prompts: the mean over prompts of
// ([Z_L]_{D, n+1} + target)^2, minus [Z_L]_{D, n+1} being the prediction; its gradient; the predictions
// themselves. The network is the linear attention of in-context TD (core/models/gram_network.h), with D = d+1
// rows.

#include <memory>

#include "core/base/instruction_set.h"
#include "core/tasks/gram_sample.h"

namespace emergence {

struct InContextShape {
    int rows;    // D, of Z
    int layers;  // L, each with a P and a Q of its own
};

/// Computes in T, float or double; sums over prompts are double. Keeps its workspace: not thread-safe. P, Q
/// and their gradients: L x D x D, row-major. All instruction sets give the same bits.
template <class T>
class InContextLoss {
  public:
    virtual ~InContextLoss() = default;
    /// The mean; the gradients, overwritten, or both null.
    virtual double loss(const GramView<T>& sample, const double* P, const double* Q, double* P_gradient,
                        double* Q_gradient) = 0;
    /// predictions: one a prompt, -[Z_L]_{D, n+1}.
    virtual void predict(const GramView<T>& sample, const double* P, const double* Q,
                         double* predictions) = 0;
    /// weights: prompts x D. The prediction for a query column z is <weights, z>: the first d entries are the
    /// w that Lemma 2 speaks of.
    virtual void implicit_weights(const GramView<T>& sample, const double* P, const double* Q,
                                  double* weights) = 0;
};

template <class T>
std::unique_ptr<InContextLoss<T>> make_in_context_loss(const InContextShape& shape,
                                                       InstructionSet set = instruction_set());

}  // namespace emergence
