#pragma once
// Draws one unseen MDP that the user drives by hand: the closed loop, window by window.

#include "core/experiments/policy_improvement/improvement_fields.h"
#include "core/measures/closed_loop.h"
#include "core/pictures/figure_spec.h"

namespace emergence {

/// The closed loop between two windows.
struct DrivenMoment {
    /// Before and after the transformer's update: states x actions.
    Eigen::MatrixXd policy, next_policy;
    /// SARSA: Q_w and q_pi, states * actions; else v_w and v_pi, states.
    Eigen::VectorXd values, exact;
    /// The window that the policy then collects.
    std::vector<PolicyAgent<float>::Visit> window;
    /// The update that the transformer writes for this window, and the teacher's.
    std::vector<float> update, teacher;
    /// The return in the loop that the teacher improves.
    double teacher_return = 0.0;
    /// Exact, from P_0.
    double own_return = 0.0, oracle = 0.0, best_exploring = 0.0;
};

/// Runs the closed loop of a block's weights at the live settings of group "drive": drive_updates + 1 moments.
std::vector<DrivenMoment> drive(const ImprovementConfig& config, const float* weights);

/// The same loop as a scene that plays.
Scene improvement_scene(const ImprovementConfig& config, const float* weights);

}  // namespace emergence
