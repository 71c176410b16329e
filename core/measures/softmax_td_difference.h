#pragma once
// The two forms of the constructed softmax transformer and weighted softmax TD, layer by layer in double, as
// in Figure 7 of the softmax paper.

#include <cstdint>
#include <vector>

#include "core/models/softmax_td.h"

namespace emergence {

/// What the transformer has wrong, on purpose: a check that cannot see it checks nothing.
enum class SoftmaxFlaw {
    none,
    gamma,  // its gamma is off by a factor of 1 + 1e-6
    mask,   // the query is a source too
    shift,  // the temporal shift is left out
};

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

/// After layer l = 0 .. layers the largest distance over all n+1 columns, divided by the largest value that
/// the algorithm has reached by then: between the single head with temporal shift and the algorithm, and
/// between both forms of the layer.
struct SoftmaxDifferences {
    std::vector<double> to_algorithm;
    std::vector<double> between_forms;
};

/// One trial: a Boyan chain and a trajectory of its own.
SoftmaxDifferences softmax_td_difference(const SoftmaxDifferenceOptions& options, uint64_t seed,
                                         uint32_t trial);

/// Over layers and trials 0 .. trials-1: the largest of both differences; of the first alone the largest in
/// the trial that shows it least, for controls.
double largest_softmax_difference(const SoftmaxDifferenceOptions& options, uint64_t seed, int trials);
double least_softmax_difference(const SoftmaxDifferenceOptions& options, uint64_t seed, int trials);

}  // namespace emergence
