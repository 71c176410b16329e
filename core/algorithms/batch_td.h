#pragma once
// Batch policy evaluation as plain loops: the reference for the constructed transformers, step by step.
//
// All start from w_0 = 0 and return w_0 .. w_L, d entries each. C: the preconditioner, d x d, one per step or one for
// all steps; C = alpha I is a step size.

#include <vector>

#include "core/tasks/task.h"

namespace emergence {

/// An algorithm's update on a context, with reward: n; direction: d x n:
///
///     w_{l+1} = w_l + (1/n) C_l sum_j (reward_j + w_l' gamma_phi_next_j - w_l' phi_j) direction_j
struct BatchUpdate {
    Eigen::VectorXd reward;
    Eigen::MatrixXd direction;
};
/// TD(0), Eq. (8), Wang et al. 2025:
///
///     w_{l+1} = w_l + (1/n) C_l sum_j (R_{j+1} + gamma w_l' phi_{j+1} - w_l' phi_j) phi_j
BatchUpdate td_update(const Transitions& context);

/// Residual gradient, the naive version without double sampling, Eq. (13):
///
///     w_{l+1} = w_l + (1/n) C_l sum_j (R_{j+1} + gamma w_l' phi_{j+1} - w_l' phi_j) (phi_j - gamma phi_{j+1})
BatchUpdate residual_gradient_update(const Transitions& context);

/// TD(lambda), Corollary 3:
///
///     w_{l+1} = w_l + (1/n) C_l sum_j (R_{j+1} + gamma w_l' phi_{j+1} - w_l' phi_j) e_j
///     e_j = trace_decay e_{j-1} + phi_j,   e_{-1} = 0
///
/// trace_decay is lambda in Corollary 3 and gamma lambda in textbooks.
BatchUpdate td_lambda_update(const Transitions& context, double trace_decay);

/// Average-reward TD, Theorem 3, with rbar_j the mean of R_1 .. R_j:
///
///     w_{l+1} = w_l + (1/n) C_l sum_j (R_{j+1} - rbar_{j+1} + w_l' phi_{j+1} - w_l' phi_j) phi_j
///
/// `context` must have gamma = 1.
BatchUpdate average_reward_update(const Transitions& context);

/// w_0 .. w_L of an update, L = steps.
std::vector<Eigen::VectorXd> batch_iterates(const Transitions& context, const BatchUpdate& update,
                                            const std::vector<Eigen::MatrixXd>& C, int steps);

/// An update as a linear system, with A: d x d; b: d:
///
///     w_{l+1} = w_l + C_l (b - A w_l)
///     A = (1/n) sum_j direction_j (phi_j - gamma_phi_next_j)'
///     b = (1/n) sum_j reward_j direction_j
///
/// A fixed point has A w = b; for TD(0) it is LSTD's solution.
struct BatchSystem {
    Eigen::MatrixXd A;
    Eigen::VectorXd b;
};
/// A and b of an update.
BatchSystem batch_system(const Transitions& context, const BatchUpdate& update);

/// The iterates of td_update().
std::vector<Eigen::VectorXd> batch_td(const Transitions& context, const std::vector<Eigen::MatrixXd>& C, int steps);

}  // namespace emergence
