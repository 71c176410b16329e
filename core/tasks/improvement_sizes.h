#pragma once
// Which algorithm improves a policy, and the sizes of what it works with. No Eigen here: lane kernels read
// this header.

namespace emergence {

/// Which algorithm improves the policy.
enum class Improvement { sarsa, actor_critic };

/// Sizes of MDP and features. Both algorithms have d features of values, actor-critic m of its policy.
struct ImprovementSizes {
    Improvement algorithm = Improvement::sarsa;
    int num_states = 9, num_actions = 4;
    int d = 36;
    int m = 0;  // 0 for SARSA

    int parameters() const { return d + m; }
};

}  // namespace emergence
