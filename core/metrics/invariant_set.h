#pragma once
// Theorem 2 of Wang et al. 2025: the expected update of a one-layer transformer that is trained by multi-task
// TD does not leave the set Theta* = {P zero but for its corner eta; Q's left blocks c I and c' I, else
// zero}.

#include <cstdint>

#include "core/base/eigen.h"

namespace emergence {

/// An update (10), or any pair of matrices, D x D with D = 2d+1.
struct WeightUpdate {
    Eigen::MatrixXd P;
    Eigen::MatrixXd Q;
};

struct InvariantSetOptions {
    int d = 4;
    int n = 30;
    int num_states = 10;
    double gamma = 0.9;
    int samples = 20;  // MRPs, with one pair of prompts each
    /// Average each sample over all 2^d d! sign flips and permutations of the features, under which their
    /// distribution does not change: what is left outside Theta* is rounding. Else plain Monte Carlo, whose
    /// rest falls with samples^-1/2.
    bool symmetrised = true;
};

/// The mean over samples of Eq. (10)'s update, (R + gamma TF(Z') - TF(Z)) grad TF(Z), at the point (eta, c,
/// c') = (1.3, -0.8, 0.5) of Theta*.
WeightUpdate expected_update(const InvariantSetOptions& options, uint64_t seed);

/// The part of an update that leaves Theta*, as a share of its norm.
double share_outside_invariant_set(const WeightUpdate& update);

}  // namespace emergence
