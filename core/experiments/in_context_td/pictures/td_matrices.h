#pragma once
// The weights of experiment "td" as pictures: each matrix's blocks, theory's target, and the symmetries by which it may
// be aligned.

#include <string>
#include <vector>

#include "core/experiments/in_context_td/seed/td_seed.h"
#include "core/lab/snapshot.h"

namespace emergence {

/// The theory's P and Q for these sizes, largest entry 1, with C = I: of the algorithm that the loss names. td, and
/// td_lambda and monte_carlo, whose weights are the same: Theorem 1's, Corollary 1's for a single layer.
/// residual_gradient: Corollary 2's. average_reward has no such matrices, see has_target(). traces: under a mask of
/// traces, where the same weights run TD(lambda) (Corollary 3).
struct TheoryMatrices {
    Table P, Q;
    std::string name;
};
TheoryMatrices in_context_td_theory(int d, int num_layers, LossKind loss = LossKind::td, bool traces = false);

/// Shows the networks of these seeds: matrices, the theory's update, and the weights as arrays.
void show_network(const InContextTdConfig& config, const std::vector<const InContextTdSeed*>& seeds,
                  Snapshot& snapshot);

}  // namespace emergence
