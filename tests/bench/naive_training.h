#pragma once
// The naive training steps that the fast paths are held against.

#include <memory>
#include <vector>

#include "core/models/causal_transformer.h"
#include "core/models/network_windows.h"

namespace emergence::bench {

/// The n-by-n form of Wang et al. 2025, d = 4, n = 30, L = 3, in fixed-size Eigen; the recurrent network
/// token by token, in Eigen of any size.
class NaiveTraining {
  public:
    virtual ~NaiveTraining() = default;
    /// A minibatch of 64 sliding windows: 65 forward passes, 64 backward. phi: 4 x times column-major,
    /// reward: times, weights: flat, as training has them. Returns the loss; the gradients stay inside.
    virtual float minibatch(const float* phi, const float* reward, const float* weights) = 0;
};
std::unique_ptr<NaiveTraining> make_naive_training(const NetworkShape& shape = {});

/// The causal transformer in plain Eigen matrices.
class NaiveCausal {
  public:
    virtual ~NaiveCausal() = default;
    /// Forward and backward over one trajectory; the gradient stays inside.
    virtual float cross_entropy(const BanditHistory<float>& history) = 0;
};
std::unique_ptr<NaiveCausal> make_naive_causal(const CausalTransformerShape& shape, const std::vector<float>& weights);

/// The same of softmax in-context TD: d = 4, n = 30, L = 3, weights: P and then Q, 7 x 7 by rows, phi: 4
/// x 95. Its query is the state that the context ends in.
std::unique_ptr<NaiveTraining> make_naive_softmax_td();

/// The whole layer of policy improvement: P and V of `rows` rows, prompts of `columns` columns, dynamic
/// Eigen.
class NaiveImprovement {
  public:
    virtual ~NaiveImprovement() = default;
    /// One update: forward, backward, Adam on all entries. H: rows x columns, column-major; target: outputs,
    /// what the last entries of the last column should become. Returns the loss.
    virtual float train(const float* H, const float* target) = 0;
};
std::unique_ptr<NaiveImprovement> make_naive_improvement(int rows, int columns, int outputs);

/// The core's peak rate of fused multiply-adds in floats, in flop a second (a multiply-add is two), measured
/// for about `milliseconds`.
double measure_peak_flops(double milliseconds);

}  // namespace emergence::bench
