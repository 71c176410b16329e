#pragma once
// What a network is trained on, as a function of its minibatch's window values alone. The paper trains with
// the TD loss (Algorithm 1, Wang et al. 2025) and leaves open what the others would make emerge.
//
// All are (1/B) sum_w delta_w^2 with delta_w = target_w - v_w for the windows w = 0 .. B-1 of a minibatch.
// R_w is the reward on leaving window w's query, v_w the value of window w, v_B that of the window after the
// last.
//
//     td                target = R_w + gamma v_{w+1}, held fixed (semi-gradient): the paper's loss.
//     residual_gradient the same target, not held fixed (Baird 1995, the naive version: one sample of S').
//     td_lambda         target = G_w, held fixed: G_w = R_w + gamma ((1 - lambda) v_{w+1} + lambda G_{w+1}),
//     G_B =
//                       v_B: the lambda-return (Sutton 1988, forward view), which ends at the minibatch's end
//                       by bootstrapping.
//     monte_carlo       td_lambda with lambda = 1: discounted rewards to the minibatch's end, there gamma^k
//     v_B. average_reward    target = R_w - rbar_w + v_{w+1}, held fixed, without a discount: average-reward
//     TD
//                       (Tsitsiklis and Van Roy 1999), rbar_w the mean of all rewards of the trajectory up to
//                       and with R_w, as Section 3 of Wang et al. 2025 has it.

#include <string>
#include <vector>

namespace emergence {

enum class LossKind { td, residual_gradient, td_lambda, monte_carlo, average_reward };

/// The names above, in that order.
const std::vector<std::string>& loss_names();

struct LossOptions {
    LossKind kind = LossKind::td;
    double lambda = 0.9;  // td_lambda's, 0 .. 1
};

template <class T>
struct LossInput {
    int batch;              // B
    T gamma;                // not read by average_reward
    const T* rewards;       // B: R_w
    const T* mean_rewards;  // B: rbar_w; read by average_reward alone
    const T* values;        // B+1
};

/// The loss; value_gradient (B+1, overwritten): its derivative by each value. `targets`: room for B+1.
template <class T>
T window_loss(const LossOptions& options, const LossInput<T>& in, T* targets, T* value_gradient);

}  // namespace emergence
