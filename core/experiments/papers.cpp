#include "core/experiments/papers.h"

namespace emergence {

const std::vector<Paper>& papers() {
    static const std::vector<Paper> table = {
        {"in-context-td",
         "Wang et al. 2025, Transformers Can Learn Temporal Difference Methods for In-Context Reinforcement "
         "Learning",
         {"td", "evaluation", "construction"}},
        {"softmax-td",
         "Beyond Linear Attention: Softmax Transformers Implement In-Context Reinforcement Learning",
         {"softmax-td", "softmax-convergence", "softmax-construction"}},
        {"bandits",
         "Chen, Ito and Imaizumi 2025, Optimal Dynamic Regret by Transformers for Non-Stationary "
         "Reinforcement "
         "Learning",
         {"bandit-race", "bandit-eval", "bandit-sweep", "bandit-train"}},
        {"regression",
         "Ahn et al. 2023, Transformers learn to implement preconditioned gradient descent for in-context "
         "learning",
         {"regression"}},
        {"policy-improvement",
         "Liang and Lai, Transformers Provably Implement In-Context Reinforcement Learning with Policy "
         "Improvement",
         {"sarsa", "actor-critic", "policy-flow"}},
    };
    return table;
}

}  // namespace emergence
