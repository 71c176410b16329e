#pragma once
// Batch policy evaluation as plain loops: what the constructed transformers must equal, step by step.
//
// All of them start from w_0 = 0 and return w_0 .. w_L. C: d x d, one a step or one for all steps; it
// preconditions the step, C = alpha I is a step size.

#include <vector>

#include "core/tasks/td_prompt.h"

namespace emergence {

/// What an algorithm makes of a context: w_{l+1} = w_l + (1/n) C_l sum_j (reward_j + w_l' gamma_phi_next_j -
/// w_l' phi_j) direction_j. reward: n, direction: d x n.
struct BatchUpdate {
    Eigen::VectorXd reward;
    Eigen::MatrixXd direction;
};
BatchUpdate td_update(const Transitions& context);
BatchUpdate residual_gradient_update(const Transitions& context);
BatchUpdate td_lambda_update(const Transitions& context, double trace_decay);
BatchUpdate average_reward_update(const Transitions& context);

/// w_0 .. w_L of such an update.
std::vector<Eigen::VectorXd> batch_iterates(const Transitions& context, const BatchUpdate& update,
                                            const std::vector<Eigen::MatrixXd>& C, int steps);

/// The same update as w_{l+1} = w_l + C_l (b - A w_l): A = (1/n) sum_j direction_j (phi_j -
/// gamma_phi_next_j)', d x d; b = (1/n) sum_j reward_j direction_j. Where its steps come to rest A w = b: for
/// TD(0) that is LSTD's solution.
struct BatchSystem {
    Eigen::MatrixXd A;
    Eigen::VectorXd b;
};
BatchSystem batch_system(const Transitions& context, const BatchUpdate& update);

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
