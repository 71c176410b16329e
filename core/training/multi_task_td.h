#pragma once
// Multi-task TD: how one seed's transformer is trained (Algorithm 1, Wang et al. 2025, with the minibatches
// of the authors' code: for each MRP five minibatches, each a fresh trajectory under a sliding window, one
// Adam step each).

#include <memory>
#include <vector>

#include "core/base/array.h"
#include "core/optim/adam.h"
#include "core/tasks/boyan_chain.h"
#include "core/training/td_minibatch.h"

namespace emergence {

struct MultiTaskTdOptions {
    BoyanChainOptions tasks;
    int num_layers = 3;       // L
    bool sequential = false;  // L layers of their own instead of one shared by all
    int context_length = 30;  // n
    int minibatch_size = 64;
    int minibatches_per_mrp = 5;
    double initial_gain = 0.1;  // Xavier normal: std = gain / sqrt(2d+1)
    AdamOptions adam{.learning_rate = 1e-3, .weight_decay = 1e-6};
    double initial_alpha = 1.0;  // batch TD's step size, trained beside the network
};

/// One seed's training. Its state after k MRPs depends on the options, the seed and k alone.
class MultiTaskTd {
  public:
    MultiTaskTd(const MultiTaskTdOptions& options, uint64_t seed);

    /// Trains on the next MRP. Once diverged() it does nothing.
    void train_one_mrp();
    int64_t mrps() const { return mrps_; }
    /// A loss or a weight stopped being finite: the state is the one before that MRP.
    bool diverged() const { return diverged_; }

    int rows() const { return 2 * options_.tasks.d + 1; }
    int stored_layers() const { return options_.sequential ? options_.num_layers : 1; }
    /// stored x D x D, row-major, float32.
    const std::vector<float>& P() const { return state_.P; }
    const std::vector<float>& Q() const { return state_.Q; }
    float alpha() const { return state_.alpha; }
    /// Mean loss over the minibatches since the last call; the next minibatch's loss, untrained, where there
    /// was none.
    double take_mean_loss();

    ArrayMap save() const;
    /// Throws InputError, naming the array, where `state` is not that of such a training.
    void load(const ArrayMap& state);

  private:
    struct State {
        std::vector<float> P, Q;
        float alpha = 1;
        Adam<float> P_adam{0}, Q_adam{0}, alpha_adam{0};
    };
    void draw_initial_weights();
    void draw_task(int64_t mrp);
    void draw_trajectory(int64_t mrp, int minibatch);
    bool step();
    TdMinibatchResult<float> run_kernel();

    MultiTaskTdOptions options_;
    uint64_t seed_;
    PhasedLayout layout_;
    std::unique_ptr<TdMinibatchKernel<float>> kernel_;
    State state_, last_good_;
    int64_t mrps_ = 0;
    bool diverged_ = false;
    double loss_sum_ = 0;
    int64_t loss_count_ = 0;

    Mrp mrp_;
    StateSampler sampler_;
    std::vector<int> place_;         // of time t within a row of the trajectory
    std::vector<float> state_rows_;  // m x (d+1): phi(s), r(s)
    std::vector<float> trajectory_, P_gradient_, Q_gradient_;
};

}  // namespace emergence
