#pragma once
// One unseen MDP, driven by hand: the closed loop window by window, drawn.

#include <vector>

#include "core/experiments/policy_improvement/improvement_fields.h"
#include "core/measures/closed_loop.h"
#include "core/pictures/scene.h"

namespace emergence {

/// What there is to see between two windows.
struct DrivenMoment {
    Eigen::MatrixXd policy, next_policy;  // before and after the transformer's update: states x actions
    Eigen::VectorXd values, exact;        // SARSA: Q_w and q_pi, states * actions; else v_w and v_pi, states
    std::vector<PolicyAgent<float>::Visit> window;                // that the policy then collects
    std::vector<float> update, teacher;                           // what both make of it
    double teacher_return = 0.0;                                  // of the loop that the teacher improves
    double own_return = 0.0, oracle = 0.0, best_exploring = 0.0;  // exact, from P_0
};

/// The closed loop of a block's weights at the live fields of group "drive": drive_updates + 1 moments.
std::vector<DrivenMoment> drive(const ImprovementConfig& config, const float* weights);

/// The same, drawn and played.
Scene improvement_scene(const ImprovementConfig& config, const float* weights);

}  // namespace emergence
