#pragma once
// The algorithm of policy improvement and its sizes. Without Eigen, since lane kernels include this header.

namespace emergence {

/// The algorithm that improves the policy.
enum class Improvement { sarsa, actor_critic };

/// Sizes of MDP and features: d features of the values; actor-critic also has m features of its policy.
struct ImprovementSizes {
    Improvement algorithm = Improvement::sarsa;
    int num_states = 9, num_actions = 4;
    int d = 36;
    int m = 0;  // 0 for SARSA

    int parameters() const { return d + m; }
};

}  // namespace emergence
