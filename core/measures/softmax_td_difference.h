#pragma once
// Both forms of the constructed softmax transformer against weighted softmax TD, layer by layer in double, as in Figure
// 7 of the softmax paper.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/linear_algebra.h"
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
SoftmaxDifferences softmax_td_difference(const SoftmaxDifferenceOptions& options, uint64_t seed, uint32_t trial);

/// The largest of both differences over layers and trials 0 .. trials-1.
double largest_softmax_difference(const SoftmaxDifferenceOptions& options, uint64_t seed, int trials);
/// The minimum over trials of the largest to_algorithm over layers: a flaw must show in every trial.
double least_softmax_difference(const SoftmaxDifferenceOptions& options, uint64_t seed, int trials);

// The norm of the expected update (NEU) of a transformer that runs weighted softmax TD on one chain: the loss of Theorem
// 3, Eq. (31), softmax paper.

/// The chain, its contexts and the looped transformer. States are one-hot.
struct ExpectedUpdateOptions {
    int num_states = 10;
    double gamma = 0.9;
    // Ascending context lengths: each context is the start of the next.
    std::vector<int> lengths = {1000, 1000000};
    std::vector<int> layers = {200};
    // The construction has Q = sharpness I; 0 is a flat kernel.
    double sharpness = 8.0;
    // A change of the construction: the weight of the current value, -1 in Eq. (15).
    double current_value = -1.0;
};

/// The NEU of chain number `chain` of the world `seed`, lengths x layers:
///
///     | sum_s d(s) (r(s) + gamma sum_s' p(s, s') v(s') - v(s)) grad v(s) |
///
/// v is the value after the last layer and d the stationary distribution. The gradient is by the parameters of the
/// theorem's space, Eq. (32), whose formula the paper's text lacks and which we read as the last three entries of P's
/// last row and Q's upper left block. Both values are read from one context. nullopt if the margin of Assumption 5.1 is
/// not positive for the construction's own kernel.
std::optional<Eigen::MatrixXd> norm_of_expected_update(const ExpectedUpdateOptions& options, uint64_t seed,
                                                       uint32_t chain);

}  // namespace emergence
