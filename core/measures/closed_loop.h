#pragma once
// Policy improvement in closed loop, Section 4.2 of Liang and Lai: in MDPs that training never saw, an agent
// collects a window, the transformer (or the teacher) writes the update of its parameters, the new policy
// collects the next. All meet the same random numbers, so that their returns can be compared MDP by MDP.

#include <memory>
#include <vector>

#include "core/algorithms/policy_agent.h"
#include "core/models/improvement_block.h"

namespace emergence {

struct ClosedLoopOptions {
    ImprovementShape shape;
    AgentOptions agent;
    int mdps = 100;
    int updates = 500;
    int every = 10;     // updates from one measured policy to the next
    int rollouts = 32;  // that a policy's return is the mean of; 0: its exact value
    int rollout_steps = 50;
    uint64_t seed = 0;
};

/// Returns by MDP and measured policy: mdps x measured.
using LoopReturns = std::vector<std::vector<double>>;

/// Not thread-safe between constructions; its const members are.
class ClosedLoop {
  public:
    explicit ClosedLoop(const ClosedLoopOptions& options);

    const ClosedLoopOptions& options() const { return options_; }
    /// The updates after which policies are measured: 0, every, 2 every, ...
    const std::vector<double>& measured_at() const { return measured_at_; }
    const LoopReturns& teacher() const { return teacher_; }
    /// One a MDP, exact: of the greedy policy in Q*, of the uniformly random policy, and of the best policy
    /// among those that act at random in a share epsilon of the steps, as the agents do.
    const std::vector<double>& oracle() const { return oracle_; }
    const std::vector<double>& random() const { return random_; }
    const std::vector<double>& best_exploring() const { return best_exploring_; }

    /// Of a block's weights, as ImprovementLayout says.
    LoopReturns transformer(const float* weights) const;

  private:
    LoopReturns run(const float* weights) const;  // null: the teacher's
    std::vector<double> run_one(size_t mdp, ImprovementBlock<float>& block, const float* weights) const;
    double measure(const PolicyAgent<float>& agent, const Mdp& mdp, uint32_t index, uint32_t update) const;

    ClosedLoopOptions options_;
    std::vector<ImprovementTask> tasks_;
    std::vector<double> measured_at_, oracle_, random_, best_exploring_;
    LoopReturns teacher_;
};

/// The values of the best policy that takes a uniformly random action in a share epsilon of the steps.
Eigen::VectorXd best_exploring_values(const Mdp& mdp, double gamma, double epsilon);

}  // namespace emergence
