#pragma once
// The naive training step that the fast path is held against: the paper's n-by-n form, d = 4, n = 30, L = 3.

#include <memory>

#include "core/models/network_shape.h"

namespace emergence::bench {

class NaiveTraining {
  public:
    virtual ~NaiveTraining() = default;
    /// A minibatch of 64 sliding windows: 65 forward passes, 64 backward. phi: 4 x times column-major,
    /// reward: times, P, Q: 9 x 9. Returns the loss; the gradients stay inside.
    virtual float minibatch(const float* phi, const float* reward, const float* P, const float* Q) = 0;
};
std::unique_ptr<NaiveTraining> make_naive_training(Activation activation = Activation::identity);

/// The core's peak rate of fused multiply-adds in floats, in flop a second (a multiply-add is two), measured
/// for about `milliseconds`.
double measure_peak_flops(double milliseconds);

}  // namespace emergence::bench
