#pragma once
// Training losses as functions of the values of a minibatch's windows. The paper uses the TD loss (Algorithm 1, Wang et
// al. 2025); whether TD also emerges from other losses is an open question.
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

#include "core/optim/adam.h"
#include "core/tasks/task.h"
#include "core/training/lane_losses.h"
#include "core/training/training_log.h"

namespace emergence {

enum class LossKind { td, residual_gradient, td_lambda, monte_carlo, average_reward };

/// The names above, in that order.
const std::vector<std::string>& loss_names();

/// The name in a picture's legend: "residual-gradient loss".
const char* loss_words(LossKind kind);

/// The values and rewards of a minibatch's windows.
template <class T>
struct LossInput {
    // B
    int batch;
    // Unused by average_reward.
    T gamma;
    // B each: R_w, and rbar_w, which only average_reward uses.
    const T *rewards, *mean_rewards;
    // B+1: v_w.
    const T* values;
};

/// A loss that a program brings instead of those above. It writes, for each window of a minibatch,
///
///     target_w,   weight_w of delta_w^2,   slope_w
///
/// where slope_w is the part of d target_w / d v_{w+1} that the gradient follows: 0 if the target is held fixed. Each
/// has B entries, which are 0, 1 and 0 before. What it throws ends the training of that seed.
using OwnLoss = std::function<void(const LossInput<double>& in, double* targets, double* weights, double* slopes)>;

struct LossOptions {
    LossKind kind = LossKind::td;
    // The lambda of td_lambda, 0 to 1.
    double lambda = 0.9;
    // Replaces `kind` unless it is null.
    std::shared_ptr<const OwnLoss> own = {};
};

/// Returns the loss and overwrites value_gradient (B+1) with its derivative by each value. targets: workspace, B+1.
template <class T>
T window_loss(const LossOptions& options, const LossInput<T>& in, T* targets, T* value_gradient);

struct MultiTaskTdOptions {
    TaskOptions tasks;
    // Number of distinct tasks to draw from; 0: a new task each time.
    int pool_size = 0;
    // L
    int num_layers = 3;
    // Each layer has its own P and Q, instead of one pair for all.
    bool sequential = false;
    // n
    int context_length = 30;
    int minibatch_size = 64;
    int minibatches_per_mrp = 5;
    // Xavier normal: standard deviation gain / sqrt(2d+1), divided by L if sequential.
    double initial_gain = 0.1;
    LossOptions loss;
    // Algorithm 1 as printed: one trajectory per MRP, and an update after each of its minibatch_size *
    // minibatches_per_mrp prompts.
    bool update_each_prompt = false;
    // The context of every prompt is its expectation under the MRP's stationary distribution, n times
    // expected_products(); queries and rewards are still a trajectory's. Of finite MRPs and linear attention.
    bool exact_contexts = false;
    // The step of Algorithm 1, theta += learning_rate * delta * grad v, instead of Adam's. The gradient of the loss is
    // twice this, with a minus sign.
    bool plain_gradient = false;
    AdamOptions adam{.learning_rate = 1e-3, .weight_decay = 1e-6};

    /// Linear attention of these sizes.
    NetworkShape shape() const {
        return {.d = tasks.d,
                .context_length = context_length,
                .layers = num_layers,
                .stored = sequential ? num_layers : 1};
    }
};

/// An untrained transformer of this shape, with Xavier normal weights; W of two heads starts as the paper's.
WindowNetwork attention_network(const NetworkShape& shape, const MultiTaskTdOptions& options, uint64_t seed);

/// The index in the world `seed` of a training's task number `mrp`: uniform in the pool, or `mrp` itself if pool_size
/// is 0.
uint32_t task_index(int pool_size, uint64_t seed, int64_t mrp);

/// Multi-task TD, the training of one seed's network: Algorithm 1, Wang et al. 2025, with the minibatches of the
/// authors' code. Each MRP gives five minibatches, each a new trajectory under a sliding window and one Adam step. Works
/// for any task distribution, loss and network. Its state after k MRPs depends only on these, the options and the seed.
class MultiTaskTd : public Archived<MultiTaskTd> {
  public:
    /// Trains the linear-attention transformer; the TD loss has a faster kernel (lane_losses.h).
    MultiTaskTd(const MultiTaskTdOptions& options, uint64_t seed);
    /// Trains `network`, which must have PhasedLayout::of(context length, update_batch(options)). one_pass: by that
    /// kernel.
    MultiTaskTd(const MultiTaskTdOptions& options, uint64_t seed, WindowNetwork network, bool one_pass = false);

    /// B, prompts per update.
    static int update_batch(const MultiTaskTdOptions& options) {
        return options.update_each_prompt ? 1 : options.minibatch_size;
    }

    /// Trains on the next MRP. Does nothing once diverged().
    void train_one_mrp();
    int64_t mrps() const { return mrps_; }
    /// Whether a loss or a weight was not finite; the state is that before that MRP.
    bool diverged() const { return diverged_; }

    /// The flat weights, and the name and shape of each matrix in them.
    const std::vector<float>& weights() const { return state_.weights; }
    const std::vector<NamedBlock>& blocks() const { return network_.blocks; }
    float alpha() const { return state_.alpha; }
    /// Mean loss over the updates since the last call; without updates, the loss before the next one.
    double take_mean_loss();
    void state(Archive& archive);

  private:
    struct State {
        std::vector<float> weights;
        // Batch TD's step size, trained beside the network.
        float alpha = 1;
        Adam<float> adam{0}, alpha_adam{0};
    };
    int updates_per_mrp() const {
        return options_.minibatches_per_mrp * (options_.update_each_prompt ? options_.minibatch_size : 1);
    }
    void draw_trajectory(uint32_t number);
    void place_windows(int first);
    void prepare(int update);
    TdMinibatchResult<float> run_update();
    float follow(WindowValues<float>& network, const float* trajectory, const float* weights, float* gradient);
    void descend(float* parameters, size_t count, const float* gradient, Adam<float>& adam) const;

    MultiTaskTdOptions options_;
    uint64_t seed_;
    PhasedLayout layout_;
    // Computes nothing if kernel_ is set.
    WindowNetwork network_;
    // Set for linear attention with the TD loss.
    std::unique_ptr<TdMinibatchKernel<float>> kernel_;
    std::unique_ptr<WindowValues<float>> batch_td_;
    State state_, last_good_;
    int64_t mrps_ = 0;
    bool diverged_ = false;
    MeanLoss loss_;

    std::unique_ptr<Task> task_ = make_task(options_.tasks);
    // The index of time t within a row of the trajectory.
    std::vector<int> place_;
    // times x (d+1): phi(S_t), R_{t+1}; times: the mean of R_1 .. R_{t+1}, for average-reward TD.
    std::vector<float> rows_, mean_;
    // In phase order; centred_trajectory_ has R - mean.
    std::vector<float> trajectory_, centred_trajectory_;
    std::vector<float> rewards_, mean_rewards_, values_, targets_, value_gradient_, gradient_;
};

/// The training of a network of this shape, whose sizes must be those of `options`. Linear attention takes its fast
/// path. Attention with any activation has the same initial weights for the same seed.
MultiTaskTd train_network(const NetworkShape& shape, const MultiTaskTdOptions& options, uint64_t seed);

}  // namespace emergence
