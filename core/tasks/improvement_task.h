#pragma once
// The tasks of policy improvement: a random MDP with features and an agent's first parameters, Section 4.1, Liang and
// Lai.

#include <vector>

#include "core/base/eigen.h"
#include "core/tasks/improvement_shape.h"
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

// The prompts of in-context policy improvement, Eqs. (4) and (13), Liang and Lai: n columns of context with zeros
// after their first r entries, and a last column with the parameters in its last c entries.

/// A prompt without its zeros, and the teacher's update for it.
template <class T>
struct ImprovementPrompt {
    explicit ImprovementPrompt(const ImprovementShape& shape);

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
    T* row(int i) { return X.data() + static_cast<size_t>(i) * static_cast<size_t>(stride); }
    const T* row(int i) const { return X.data() + static_cast<size_t>(i) * static_cast<size_t>(stride); }
};

extern template struct ImprovementPrompt<float>;
extern template struct ImprovementPrompt<double>;

/// The prompt H as the paper writes it: D x (n + 1).
Eigen::MatrixXd dense_prompt(const ImprovementShape& shape, const ImprovementPrompt<double>& prompt);

}  // namespace emergence
