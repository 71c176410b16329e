#pragma once
// The tasks of policy improvement: a random MDP with features and an agent's first parameters, Section 4.1, Liang and
// Lai.

#include <vector>

#include "core/base/linear_algebra.h"
#include "core/base/rng.h"
#include "core/tasks/layouts.h"
#include "core/tasks/task.h"

namespace emergence {

// Finite Markov decision processes: random ones as in Section 4.1, Liang and Lai, their exact values, and a sampler of
// states.

/// A finite MDP. Quantities per state s and action a are in row s * num_actions + a.
struct Mdp {
    int num_states = 0, num_actions = 0;
    Eigen::VectorXd initial;     // P_0: states
    Eigen::MatrixXd transition;  // P(s' | s, a): (states * actions) x states, rows sum to 1
    Eigen::MatrixXd reward;      // r(a, s'): actions x states

    int pair(int state, int action) const { return state * num_actions + action; }
};

/// MDP number `index` of the world `seed`: P_0, P(. | s, a) ~ Dirichlet(1, ..., 1), r(a, s') ~ U(-1, 1).
Mdp random_mdp(int num_states, int num_actions, uint64_t seed, uint32_t index);

/// r(s, a) = sum_s' P(s' | s, a) r(a, s'): states * actions.
Eigen::VectorXd expected_reward(const Mdp& mdp);

/// The values, one per state, of the best policy with a share epsilon of uniformly random actions, by value iteration
/// until none changes by more than 1e-13. gamma < 1.
Eigen::VectorXd best_exploring_values(const Mdp& mdp, double gamma, double epsilon);
/// Q*, states x actions.
Eigen::MatrixXd optimal_action_values(const Mdp& mdp, double gamma);

/// v_pi = (I - gamma P_pi)^{-1} r_pi. policy: probabilities, states x actions.
Eigen::VectorXd policy_values(const Mdp& mdp, const Eigen::MatrixXd& policy, double gamma);
/// q(s, a) = r(s, a) + gamma sum_s' P(s' | s, a) v(s'): states x actions. values: v, states.
Eigen::MatrixXd action_values(const Mdp& mdp, const Eigen::VectorXd& values, double gamma);

/// The policy that takes the largest entry of each row of `scores`, the first if several are equal.
Eigen::MatrixXd greedy_policy(const Eigen::MatrixXd& scores);

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

// The prompts of in-context policy improvement, Eqs. (4) and (13), Liang and Lai: n columns of context with zeros
// after their first r entries, and a last column with the parameters in its last c entries.

/// A prompt without its zeros, and the teacher's update for it.
template <class T>
struct ImprovementPrompt {
    explicit ImprovementPrompt(const ImprovementShape& shape)
        : n(shape.n),
          stride(padded_row(shape.context())),
          X(n * stride),
          query(shape.query()),
          teacher(shape.outputs()) {}

    int n;
    // padded_row(r)
    int stride;
    // n x stride: x_i in the first r entries, then zeros.
    std::vector<T> X;
    // c
    std::vector<T> query;
    // outputs: the update of the parameters, Eq. (2) or (3).
    std::vector<T> teacher;

    PromptView<T> view() const { return {X.data(), query.data(), teacher.data()}; }
    T* row(int i) { return X.data() + i * stride; }
};

}  // namespace emergence
