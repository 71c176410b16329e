#pragma once
// The tasks of policy improvement: a random MDP with features and an agent's first parameters, Section 4.1, Liang and
// Lai.

#include "core/tasks/improvement_sizes.h"
#include "core/tasks/mdp.h"

namespace emergence {

/// One task.
struct ImprovementTask {
    Mdp mdp;
    // SARSA: phi(s, a), (states * actions) x d. Actor-critic: phi_V(s), states x d.
    Eigen::MatrixXd value_features;
    // phi_pi(s, a): (states * actions) x m.
    Eigen::MatrixXd policy_features;
    // The first parameters w, or lambda above w: m + d.
    Eigen::VectorXd start;
};

/// Task number `index` of the world `seed`: the MDP of random_mdp(), features and parameters ~ U(-1, 1).
ImprovementTask random_improvement_task(const ImprovementSizes& sizes, uint64_t seed, uint32_t index);

}  // namespace emergence
