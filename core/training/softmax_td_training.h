#pragma once
// How one seed's softmax transformer is trained: semi-gradient multi-task TD on random Boyan chains
// (Appendices F.1 to F.3 of the softmax paper), one pair of P and Q for all layers.

#include <memory>
#include <vector>

#include "core/base/array.h"
#include "core/measures/softmax_emergence.h"
#include "core/models/softmax_td_windows.h"
#include "core/optim/adam.h"
#include "core/tasks/mrp.h"
#include "core/tasks/task.h"

namespace emergence {

/// What is not trained, so that its part in the other's emergence can be seen.
enum class Clamp {
    none,
    Q,  // stays sharpness diag(I_d, 0): the kernel is held, P alone is trained
    P,  // stays step e_{d+3} [0_d, 1, 1, -1]: the update is held, Q alone is trained
};

struct SoftmaxTdTrainingOptions {
    TaskOptions tasks{.representable = true};
    int num_layers = 3;       // L
    int context_length = 30;  // n
    int minibatch_size = 64;  // B
    int minibatches_per_mrp = 5;
    double temperature = 1.0;   // T
    double initial_gain = 0.1;  // Xavier normal: std = gain / sqrt(D)
    /// Eq. (107): Q's block of scalars with scalars stays 0. P's mask, Eq. (106), is always on.
    bool mask_scores = true;
    /// xi of Eq. (104): from the first to the second over so many updates, then the second.
    double mixing = 0.0, final_mixing = 0.0;
    int64_t mixing_updates = 0;
    AdamOptions adam{.learning_rate = 1e-3, .weight_decay = 1e-6};
    /// The learning rate falls linearly to this share of itself over so many updates.
    double final_rate_share = 1.0;
    int64_t rate_updates = 20000;
    /// After this update P, Q and Adam's first moments change their signs where the trace of Q's feature
    /// block is negative; 0: never.
    int64_t flip_at = 0;
    Clamp clamp = Clamp::none;
    double clamp_sharpness = 4.0, clamp_step = 1.0;
};

/// One seed's training. Its state after k updates depends on the options, the seed and k alone.
class SoftmaxTdTraining {
  public:
    SoftmaxTdTraining(const SoftmaxTdTrainingOptions& options, uint64_t seed);

    /// The next Adam step. Once diverged() it does nothing.
    void update();
    int64_t updates() const { return updates_; }
    /// A loss or a weight stopped being finite: the state is the one before that update.
    bool diverged() const { return diverged_; }
    /// Whether the signs were changed at options.flip_at.
    bool flipped() const { return flipped_; }

    int rows() const { return options_.tasks.d + 3; }
    /// P, then Q, each D x D row-major.
    const std::vector<float>& weights() const { return state_.weights; }
    const std::vector<float>& initial_weights() const { return initial_weights_; }
    SoftmaxEmergence emergence() const { return softmax_emergence(state_.weights.data(), options_.tasks.d); }
    /// xi of the next update.
    double mixing() const;

    /// Keeps the weights as the best checkpoint where the product of both emergence scores is larger than it
    /// was in any that were kept; the initial ones count.
    void consider_checkpoint();
    /// The best checkpoint of those considered, and after which update it was had.
    const std::vector<float>& best_weights() const { return best_.weights; }
    int64_t best_update() const { return best_.update; }
    double best_score() const { return best_.score; }

    /// Mean loss over the updates since the last call; the next update's loss, untrained, where there was
    /// none.
    double take_mean_loss();

    ArrayMap save() const;
    /// Throws InputError, naming the array, where `state` is not that of such a training.
    void load(const ArrayMap& state);

  private:
    struct State {
        std::vector<float> weights;
        Adam<float> adam{0};
    };
    struct Best {
        std::vector<float> weights;
        int64_t update = 0;
        double score = -1.0;
    };
    void draw_minibatch();
    float gradient_of_minibatch();
    void descend();
    void flip_signs();

    SoftmaxTdTrainingOptions options_;
    uint64_t seed_;
    SoftmaxTdShape shape_;
    std::unique_ptr<SoftmaxTdWindows<float>> windows_;
    std::vector<float> initial_weights_;
    State state_, last_good_;
    Best best_;
    int64_t updates_ = 0;
    bool diverged_ = false, flipped_ = false;
    double loss_sum_ = 0;
    int64_t loss_count_ = 0;

    int64_t mrp_number_ = -1;  // of mrp_
    Mrp mrp_;
    StateSampler sampler_;
    StateFeatures<float> features_;
    std::vector<int> states_;
    std::vector<float> rewards_, tables_, table_gradient_, gradient_;
};

}  // namespace emergence
