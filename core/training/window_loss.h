#pragma once
// Training losses as functions of the values of a minibatch's windows. The paper uses the TD loss (Algorithm 1, Wang et
// al. 2025); whether TD also emerges from the others is an open question.
//
// All losses are, for the windows w = 0 .. B-1 of a minibatch,
//
//     loss = (1/B) sum_w delta_w^2,   delta_w = target_w - v_w
//
// where v_w is the value of window w, v_B that of the window after the last, and R_w the reward on leaving the query of
// window w:
//
//     td                  target_w = R_w + gamma v_{w+1}, held fixed (semi-gradient): the paper's loss
//     residual_gradient   the same target, not held fixed (Baird 1995, naive version with one sample of S')
//     td_lambda           target_w = G_w, held fixed: the lambda-return (Sutton 1988, forward view)
//                             G_w = R_w + gamma ((1 - lambda) v_{w+1} + lambda G_{w+1}),   G_B = v_B
//     monte_carlo         td_lambda with lambda = 1: discounted rewards to the minibatch's end, then gamma^(B-w) v_B
//     average_reward      target_w = R_w - rbar_w + v_{w+1}, held fixed: average-reward TD (Tsitsiklis and Van Roy
//                         1999; Section 3, Wang et al. 2025); rbar_w: mean reward of the trajectory up to R_w

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace emergence {

/// The losses above.
enum class LossKind { td, residual_gradient, td_lambda, monte_carlo, average_reward };

/// The names above, in that order.
const std::vector<std::string>& loss_names();

/// For a picture's legend: "residual-gradient loss".
const char* loss_words(LossKind kind);

/// One minibatch.
template <class T>
struct LossInput {
    // B
    int batch;
    // Unused by average_reward.
    T gamma;
    // B: R_w.
    const T* rewards;
    // B: rbar_w; used only by average_reward.
    const T* mean_rewards;
    // B+1: v_w.
    const T* values;
};

/// A loss that a program brings instead of those above. It writes, for each window of a minibatch,
///
///     target_w,   weight_w of delta_w^2,   slope_w
///
/// where slope_w is the part of d target_w / d v_{w+1} that the gradient follows: 0 if the target is held fixed. Each has
/// B entries, which are 0, 1 and 0 before. What it throws ends the training of that seed.
using OwnLoss = std::function<void(const LossInput<double>& in, double* targets, double* weights, double* slopes)>;

/// One loss.
struct LossOptions {
    LossKind kind = LossKind::td;
    // td_lambda: 0 .. 1.
    double lambda = 0.9;
    // Not null: instead of `kind`.
    std::shared_ptr<const OwnLoss> own = {};
};

/// Returns the loss and overwrites value_gradient (B+1) with its derivative by each value. targets: workspace, B+1.
template <class T>
T window_loss(const LossOptions& options, const LossInput<T>& in, T* targets, T* value_gradient);

}  // namespace emergence
