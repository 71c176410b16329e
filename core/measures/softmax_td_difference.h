#pragma once
// Both forms of the constructed softmax transformer against weighted softmax TD, layer by layer in double, as in Figure
// 7 of the softmax paper.

#include <cstdint>
#include <vector>

#include "core/models/softmax_td_layer.h"

namespace emergence {

/// A deliberate error in the transformer, to prove that the check can fail.
enum class SoftmaxFlaw {
    none,
    // gamma is wrong by a factor of 1 + 1e-6.
    gamma,
    // The query is a source too.
    mask,
    // No temporal shift.
    shift,
};

/// The kernel, the task and the sizes of a trial.
struct SoftmaxDifferenceOptions {
    ScoreKernel kernel = ScoreKernel::softmax;
    int d = 4;
    int n = 30;
    int layers = 40;
    int num_states = 10;
    double gamma = 0.9;
    double step = 1.0;
    SoftmaxFlaw flaw = SoftmaxFlaw::none;
};

/// After layer l = 0 .. layers the largest distance over all n+1 columns, divided by the largest value of the algorithm
/// up to layer l.
struct SoftmaxDifferences {
    // Between the single head with temporal shift and the algorithm.
    std::vector<double> to_algorithm;
    // Between the two forms of the layer.
    std::vector<double> between_forms;
    // For files of results.
    void numbers(auto& list) { list(to_algorithm, between_forms); }
};

/// The differences in one trial, which has its own Boyan chain and trajectory.
SoftmaxDifferences softmax_td_difference(const SoftmaxDifferenceOptions& options, uint64_t seed,
                                         uint32_t trial);

/// The largest of both differences over layers and trials 0 .. trials-1.
double largest_softmax_difference(const SoftmaxDifferenceOptions& options, uint64_t seed, int trials);
/// The minimum over trials of the largest to_algorithm over layers: a flaw must show in every trial.
double least_softmax_difference(const SoftmaxDifferenceOptions& options, uint64_t seed, int trials);

}  // namespace emergence
