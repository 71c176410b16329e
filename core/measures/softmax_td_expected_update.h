#pragma once
// The norm of the expected update (NEU) of a transformer that runs weighted softmax TD on one chain: the loss of Theorem
// 3, Eq. (31), softmax paper.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/eigen.h"

namespace emergence {

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
