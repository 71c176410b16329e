#pragma once
// Finite Markov decision processes: random ones as in Section 4.1 of Liang and Lai, their exact values, and a
// sampler of states.

#include <vector>

#include "core/base/eigen.h"
#include "core/base/rng.h"

namespace emergence {

/// An action value, a transition's row, ... of a state and an action stands at row s * num_actions + a.
struct Mdp {
    int num_states = 0, num_actions = 0;
    Eigen::VectorXd initial;     // P_0: states
    Eigen::MatrixXd transition;  // P(s' | s, a): (states * actions) x states, rows sum to 1
    Eigen::MatrixXd reward;      // r(a, s'): actions x states

    int pair(int state, int action) const { return state * num_actions + action; }
};

/// P_0 and every P(. | s, a) ~ Dirichlet(1, ..., 1), r(a, s') ~ U(-1, 1); MDP `index` of the stream of
/// `seed`.
Mdp random_mdp(int num_states, int num_actions, uint64_t seed, uint32_t index);

/// r(s, a) = sum_s' P(s' | s, a) r(a, s'): states * actions.
Eigen::VectorXd expected_reward(const Mdp& mdp);

/// Q* by value iteration until no entry changes by more than 1e-13: states x actions. gamma below 1.
Eigen::MatrixXd optimal_action_values(const Mdp& mdp, double gamma);

/// v_pi = (I - gamma P_pi)^{-1} r_pi of a policy, given as probabilities, states x actions.
Eigen::VectorXd policy_values(const Mdp& mdp, const Eigen::MatrixXd& policy, double gamma);
/// q_pi(s, a) = r(s, a) + gamma sum_s' P(s' | s, a) v(s'): states x actions.
Eigen::MatrixXd action_values(const Mdp& mdp, const Eigen::VectorXd& values, double gamma);

/// The policy that takes a largest entry of each row of `scores`, the first where there are several.
Eigen::MatrixXd greedy_policy(const Eigen::MatrixXd& scores);

/// Draws from rows of probabilities by inverting their cumulative sums: one uniform a draw.
class RowSampler {
  public:
    void reset(const Eigen::MatrixXd& rows);  // each sums to 1
    int draw(int row, double uniform) const {
        const double* cumulative = cumulative_.data() + static_cast<size_t>(row * (columns_ - 1));
        int k = 0;
        for (int j = 0; j + 1 < columns_; ++j) k += uniform >= cumulative[j] ? 1 : 0;
        return k;
    }

  private:
    int columns_ = 1;
    std::vector<double> cumulative_;  // rows x (columns - 1): the last is 1
};

}  // namespace emergence
