#pragma once
// Algorithms 1 and 2 of Liang and Lai: a block of linear attention is trained to write the update that a
// teacher, SARSA or actor-critic, makes of each window. One step of Adam a window; the teacher's parameters
// go on, so that what is seen does not depend on what is learned.

#include <memory>

#include "core/algorithms/policy_agent.h"
#include "core/base/array.h"
#include "core/models/improvement_block.h"
#include "core/optim/adam.h"

namespace emergence {

struct TeacherMimickingOptions {
    ImprovementShape shape;
    AgentOptions agent;
    int frames = 1000;  // T: windows, and updates, in an MDP
    AdamOptions adam;
    double rate_decay = 0.99;  // of the learning rate, every `decay_every` MDPs
    int decay_every = 10;
    double initial_gain = 0.1;  // of Xavier's normal: standard deviation gain sqrt(2 / (rows + columns))
};

/// One seed. Not thread-safe.
class TeacherMimicking {
  public:
    TeacherMimicking(const TeacherMimickingOptions& options, uint64_t seed);
    TeacherMimicking(const TeacherMimicking&) = delete;  // the agent knows where its task stands
    TeacherMimicking& operator=(const TeacherMimicking&) = delete;

    /// One window and one step of Adam. Does nothing once diverged().
    void update();
    int64_t updates() const { return updates_; }
    bool diverged() const { return diverged_; }  // the last loss was not finite: its step was not taken

    const ImprovementShape& shape() const { return options_.shape; }
    /// As ImprovementLayout says.
    const std::vector<float>& weights() const { return weights_; }
    const std::vector<float>& initial_weights() const { return initial_; }

    double learning_rate() const;                  // of the next update
    double rate_sum() const { return rate_sum_; }  // of all updates so far
    /// The mean of 1/2 |update - teacher's|^2, and of 1/2 |teacher's|^2, since last asked; NaN without any.
    struct Losses {
        double loss, zero;
    };
    Losses take_mean_losses();

    ArrayMap save() const;
    /// Throws InputError where `state` does not fit the options.
    void load(const ArrayMap& state);

  private:
    int64_t mdp() const { return updates_ / options_.frames; }
    void enter_mdp();
    void apply(const PromptView<float>& prompt);

    TeacherMimickingOptions options_;
    uint64_t seed_;
    std::vector<float> weights_, initial_;
    Adam<float> adam_;
    std::unique_ptr<ImprovementBlock<float>> block_;
    PolicyAgent<float> agent_;
    ImprovementTask task_;
    ImprovementPrompt<float> prompt_;
    int64_t task_index_ = -1;
    int64_t updates_ = 0;
    bool diverged_ = false;
    double rate_sum_ = 0.0, loss_sum_ = 0.0, zero_sum_ = 0.0;
    int64_t loss_count_ = 0;
};

/// Weights as Xavier draws them, P12 and V21 each by its own size; Section 4.1.
std::vector<float> initial_improvement_weights(const ImprovementShape& shape, double gain, uint64_t seed);

}  // namespace emergence
