#pragma once
// Batch policy evaluation as plain loops: what the constructed transformers must equal, step by step.
//
// All of them start from w_0 = 0 and return w_0 .. w_L. C: d x d, one a step or one for all steps; it
// preconditions the step, C = alpha I is a step size.

#include <vector>

#include "core/prompts/td_prompt.h"

namespace emergence {

/// TD(0): w_{l+1} = w_l + (1/n) C_l sum_j (R_{j+1} + gamma w_l' phi_{j+1} - w_l' phi_j) phi_j: Eq. (8), Wang
/// et al. 2025.
std::vector<Eigen::VectorXd> batch_td(const Transitions& context, const std::vector<Eigen::MatrixXd>& C,
                                      int steps);

/// Residual gradient, the naive version without double sampling: as TD(0) with phi_j - gamma phi_{j+1} in
/// place of the last phi_j: Eq. (13).
std::vector<Eigen::VectorXd> batch_residual_gradient(const Transitions& context,
                                                     const std::vector<Eigen::MatrixXd>& C, int steps);

/// TD(lambda): as TD(0) with the trace e_j in place of the last phi_j, e_j = trace_decay e_{j-1} + phi_j and
/// e_{-1} = 0: Corollary 3. There trace_decay is lambda; in the textbook's trace it is gamma lambda.
std::vector<Eigen::VectorXd> batch_td_lambda(const Transitions& context,
                                             const std::vector<Eigen::MatrixXd>& C, double trace_decay,
                                             int steps);

/// Average-reward TD: w_{l+1} = w_l + (1/n) C_l sum_j (R_{j+1} - rbar_{j+1} + w_l' phi_{j+1} - w_l' phi_j)
/// phi_j with rbar_j the mean of R_1 .. R_j: Theorem 3. `context` is drawn with gamma = 1.
std::vector<Eigen::VectorXd> batch_average_reward_td(const Transitions& context,
                                                     const std::vector<Eigen::MatrixXd>& C, int steps);

}  // namespace emergence
