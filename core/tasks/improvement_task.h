#pragma once
// What policies are improved in: a random MDP with features and an agent's first parameters, Section 4.1 of
// Liang and Lai.

#include "core/tasks/improvement_sizes.h"
#include "core/tasks/mdp.h"

namespace emergence {

struct ImprovementTask {
    Mdp mdp;
    /// SARSA: phi(s, a), (states * actions) x d. Actor-critic: phi_V(s), states x d.
    Eigen::MatrixXd value_features;
    Eigen::MatrixXd policy_features;  // phi_pi(s, a): (states * actions) x m
    Eigen::VectorXd start;            // w, or lambda above w: m + d
};

/// Features and parameters ~ U(-1, 1), the MDP as random_mdp draws it; task `index` of the stream of `seed`.
ImprovementTask random_improvement_task(const ImprovementSizes& sizes, uint64_t seed, uint32_t index);

}  // namespace emergence
