#pragma once
// Multi-task TD: how one seed's network is trained (Algorithm 1, Wang et al. 2025, with the minibatches of
// the authors' code: for each MRP five minibatches, each a fresh trajectory under a sliding window, one Adam
// step each). Any task distribution, loss and network.

#include <memory>
#include <span>
#include <vector>

#include "core/base/array.h"
#include "core/models/window_values.h"
#include "core/optim/adam.h"
#include "core/tasks/task.h"
#include "core/training/td_minibatch.h"
#include "core/training/window_loss.h"

namespace emergence {

struct MultiTaskTdOptions {
    TaskOptions tasks;
    int pool_size = 0;        // train on this many distinct tasks, drawn again and again; 0: a fresh one each
    int num_layers = 3;       // L
    bool sequential = false;  // L layers of their own instead of one shared by all
    int context_length = 30;  // n
    int minibatch_size = 64;
    int minibatches_per_mrp = 5;
    double initial_gain = 0.1;  // Xavier normal: std = gain / sqrt(2d+1)
    LossOptions loss;
    /// Algorithm 1 to the letter: one trajectory an MRP and an update after each of its minibatch_size *
    /// minibatches_per_mrp prompts.
    bool update_each_prompt = false;
    /// Algorithm 1's own step, theta += learning_rate * delta * grad v, instead of Adam's. (A loss's gradient
    /// has twice this.)
    bool plain_gradient = false;
    AdamOptions adam{.learning_rate = 1e-3, .weight_decay = 1e-6};
    double initial_alpha = 1.0;  // batch TD's step size, trained beside the network
};

/// The linear-attention transformer of these options, with Xavier normal weights.
WindowNetwork linear_attention_network(const MultiTaskTdOptions& options, uint64_t seed);

/// Which task of the world `seed` is number `mrp` of a training: drawn uniformly from the pool, where there
/// is one.
uint32_t task_index(int pool_size, uint64_t seed, int64_t mrp);

/// One seed's training. Its state after k MRPs depends on the options, the network, the seed and k alone.
class MultiTaskTd {
  public:
    /// Trains the linear-attention transformer; with the TD loss through a kernel of its own.
    MultiTaskTd(const MultiTaskTdOptions& options, uint64_t seed);
    /// Trains `network`, made for PhasedLayout::of(context length, update_batch(options)).
    MultiTaskTd(const MultiTaskTdOptions& options, uint64_t seed, WindowNetwork network);

    /// Prompts an update is made of: B.
    static int update_batch(const MultiTaskTdOptions& options) {
        return options.update_each_prompt ? 1 : options.minibatch_size;
    }

    /// Trains on the next MRP. Once diverged() it does nothing.
    void train_one_mrp();
    int64_t mrps() const { return mrps_; }
    /// A loss or a weight stopped being finite: the state is the one before that MRP.
    bool diverged() const { return diverged_; }

    int rows() const { return 2 * options_.tasks.d + 1; }
    int stored_layers() const { return options_.sequential ? options_.num_layers : 1; }
    /// The flat weights and what they are.
    const std::vector<float>& weights() const { return state_.weights; }
    const std::vector<NamedBlock>& blocks() const { return network_.blocks; }
    /// Linear attention's: stored x D x D, row-major, float32.
    std::span<const float> P() const { return half(0); }
    std::span<const float> Q() const { return half(1); }
    float alpha() const { return state_.alpha; }
    /// Mean loss over the updates since the last call; the next update's loss, untrained, where there was
    /// none.
    double take_mean_loss();

    ArrayMap save() const;
    /// Throws InputError, naming the array, where `state` is not that of such a training.
    void load(const ArrayMap& state);

  private:
    struct State {
        std::vector<float> weights;
        float alpha = 1;
        Adam<float> adam{0}, alpha_adam{0};
    };
    struct Update {
        float loss, batch_td_loss, alpha_gradient;
    };
    MultiTaskTd(const MultiTaskTdOptions& options, uint64_t seed, WindowNetwork network, bool one_pass);
    std::span<const float> half(size_t which) const;
    int updates_per_mrp() const;
    void draw_trajectory(int64_t mrp, uint32_t number);
    void place_windows(int first);
    void prepare(int64_t mrp, int update);
    Update run_update();
    float follow(WindowValues<float>& network, const float* trajectory, const float* weights,
                 float* gradient);
    void descend(float* parameters, size_t count, const float* gradient, Adam<float>& adam) const;
    bool step();

    MultiTaskTdOptions options_;
    uint64_t seed_;
    PhasedLayout layout_;
    WindowNetwork network_;                             // computes nothing where kernel_ does
    std::unique_ptr<TdMinibatchKernel<float>> kernel_;  // linear attention with the TD loss
    std::unique_ptr<WindowValues<float>> batch_td_;
    State state_, last_good_;
    int64_t mrps_ = 0;
    bool diverged_ = false;
    double loss_sum_ = 0;
    int64_t loss_count_ = 0;

    std::unique_ptr<Task> task_;
    std::vector<int> place_;   // of time t within a row of the trajectory
    std::vector<float> rows_;  // times x (d+1): phi(S_t), R_{t+1}
    std::vector<float> mean_;  // times: the mean of R_1 .. R_{t+1}; for average-reward TD
    std::vector<float> trajectory_, centred_trajectory_;  // in phase order; the second has R - mean
    std::vector<float> rewards_, mean_rewards_, values_, targets_, value_gradient_, gradient_;
};

}  // namespace emergence
