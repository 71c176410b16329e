#pragma once
// The training of one seed's softmax transformer: semi-gradient multi-task TD on random Boyan chains (Appendices F.1 to
// F.3 of the softmax paper), with one P and one Q for all layers.

#include <memory>
#include <vector>

#include "core/measures/emergence.h"
#include "core/models/softmax_td_windows.h"
#include "core/optim/adam.h"
#include "core/tasks/task.h"
#include "core/training/training_log.h"

namespace emergence {

/// The matrix that stays fixed, to show its effect on the other's emergence.
enum class Clamp {
    none,
    // Q = sharpness diag(I_d, 0): fixes the kernel and trains P only.
    Q,
    // P = step e_{d+3} [0_d, 1, 1, -1]: fixes the update and trains Q only.
    P,
};

struct SoftmaxTdTrainingOptions {
    TaskOptions tasks{.representable = true};
    // L
    int num_layers = 3;
    // n
    int context_length = 30;
    // B
    int minibatch_size = 64;
    int minibatches_per_mrp = 5;
    // T
    double temperature = 1.0;
    // Xavier normal: standard deviation gain / sqrt(D).
    double initial_gain = 0.1;
    // Eq. (107): the lower right 3 x 3 block of Q stays 0. P's mask, Eq. (106), is always on.
    bool mask_scores = true;
    // xi of Eq. (104): linear from `mixing` to `final_mixing` over `mixing_updates`, then constant.
    double mixing = 0.0, final_mixing = 0.0;
    int64_t mixing_updates = 0;
    AdamOptions adam{.learning_rate = 1e-3, .weight_decay = 1e-6};
    // The learning rate falls linearly to this share of itself over `rate_updates`.
    double final_rate_share = 1.0;
    int64_t rate_updates = 20000;
    // After this update P, Q and Adam's first moments change sign if the trace of Q's feature block is negative;
    // 0: never.
    int64_t flip_at = 0;
    Clamp clamp = Clamp::none;
    double clamp_sharpness = 4.0, clamp_step = 1.0;
};

/// One seed's training. Its state after k updates depends only on the options, the seed and k.
class SoftmaxTdTraining : public Archived<SoftmaxTdTraining> {
  public:
    SoftmaxTdTraining(const SoftmaxTdTrainingOptions& options, uint64_t seed);

    /// The next Adam step. Does nothing once diverged().
    void update();
    int64_t updates() const { return updates_; }
    /// Whether a loss or a weight was not finite; the state is that before that update.
    bool diverged() const { return diverged_; }
    /// Whether the signs changed at options.flip_at.
    bool flipped() const { return flipped_; }

    int rows() const { return options_.tasks.d + 3; }
    /// P, then Q, each D x D row-major.
    const std::vector<float>& weights() const { return state_.weights; }
    const std::vector<float>& initial_weights() const { return initial_weights_; }
    SoftmaxEmergence emergence() const { return softmax_emergence(state_.weights.data(), options_.tasks.d); }
    /// xi of the next update.
    double mixing() const;

    /// Makes the weights the best checkpoint if the product of both emergence scores exceeds that of all checkpoints
    /// considered so far. The initial weights count.
    void consider_checkpoint();
    /// The best checkpoint considered, and the number of updates before it.
    struct Best {
        std::vector<float> weights;
        int64_t update = 0;
        double score = -1.0;
    };
    const Best& best() const { return best_; }

    /// Mean loss over the updates since the last call; without updates, the loss before the next one.
    double take_mean_loss();
    void state(Archive& archive);

  private:
    struct State {
        std::vector<float> weights;
        Adam<float> adam{0};
    };
    void draw_minibatch();
    float gradient_of_minibatch();

    SoftmaxTdTrainingOptions options_;
    uint64_t seed_;
    SoftmaxTdShape shape_{options_.tasks.num_states, options_.num_layers, options_.context_length,
                          options_.minibatch_size};
    std::unique_ptr<SoftmaxTdWindows<float>> windows_ = make_softmax_td_windows<float>(shape_);
    std::vector<float> initial_weights_;
    State state_, last_good_;
    Best best_;
    int64_t updates_ = 0;
    bool diverged_ = false, flipped_ = false;
    MeanLoss loss_;

    int64_t mrp_number_ = -1;  // of mrp_
    Mrp mrp_;
    StateFeatures<float> features_;
    std::vector<int> states_;
    std::vector<float> tables_, table_gradient_, gradient_;
};

}  // namespace emergence
