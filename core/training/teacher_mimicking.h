#pragma once
// Algorithms 1 and 2, Liang and Lai: a block of linear attention learns to write the update that a teacher, SARSA or
// actor-critic, makes for each window. Each window gives one step of Adam. The agent follows the teacher's updates, so
// the data do not depend on the learned weights.

#include <memory>
#include <vector>

#include "core/algorithms/policy_agent.h"
#include "core/models/constructions.h"
#include "core/models/improvement_block.h"
#include "core/optim/adam.h"
#include "core/optim/descent.h"
#include "core/training/training_log.h"

namespace emergence {

struct TeacherMimickingOptions {
    ImprovementShape shape;
    AgentOptions agent;
    // T: windows, and updates, per MDP.
    int frames = 1000;
    AdamOptions adam;
    // Factor of the learning rate, every `decay_every` MDPs.
    double rate_decay = 0.99;
    int decay_every = 10;
    // Xavier normal: standard deviation gain sqrt(2 / (rows + columns)).
    double initial_gain = 0.1;
};

/// Xavier normal weights, Section 4.1: P12 and V21 each with standard deviation gain sqrt(2 / (rows + columns)).
std::vector<float> initial_improvement_weights(const ImprovementShape& shape, double gain, uint64_t seed);

/// One seed's training. Not thread-safe.
class TeacherMimicking : public Archived<TeacherMimicking> {
  public:
    TeacherMimicking(const TeacherMimickingOptions& options, uint64_t seed) : options_(options), seed_(seed) {}
    TeacherMimicking(const TeacherMimicking&) = delete;  // the agent points at task_
    TeacherMimicking& operator=(const TeacherMimicking&) = delete;

    /// One window and one step of Adam. Does nothing once diverged().
    void update();
    int64_t updates() const { return updates_; }
    /// Whether the last loss was not finite; its step was not taken.
    bool diverged() const { return diverged_; }

    const ImprovementShape& shape() const { return options_.shape; }
    /// The weights in the layout of ImprovementLayout.
    const std::vector<float>& weights() const { return weights_; }
    const std::vector<float>& initial_weights() const { return initial_; }

    /// The learning rate of the next update.
    double learning_rate() const;
    /// The sum of the learning rates of all updates.
    double rate_sum() const { return rate_sum_; }
    /// The means of 1/2 |update - teacher's update|^2 and of 1/2 |teacher's update|^2 since the last call; NaN without
    /// updates.
    struct Losses {
        double loss, zero;
    };
    Losses take_mean_losses() { return {loss_.take(), zero_.take()}; }
    void state(Archive& archive);

  private:
    int64_t mdp() const { return updates_ / options_.frames; }
    void enter_mdp(int64_t index);

    TeacherMimickingOptions options_;
    uint64_t seed_;
    std::vector<float> weights_ = initial_improvement_weights(options_.shape, options_.initial_gain, seed_);
    std::vector<float> initial_ = weights_;
    Adam<float> adam_{weights_.size()};
    std::unique_ptr<ImprovementBlock<float>> block_ = make_improvement_block<float>(options_.shape);
    PolicyAgent<float> agent_{options_.shape, options_.agent};
    ImprovementTask task_;
    ImprovementPrompt<float> prompt_{options_.shape};
    int64_t task_index_ = -1;
    int64_t updates_ = 0;
    bool diverged_ = false;
    double rate_sum_ = 0.0;
    MeanLoss loss_, zero_;
};

/// The entries of P12, then of V21, column by column: r c + o r.
Vec flat_blocks(const EffectiveBlocks& blocks);
/// The inverse of flat_blocks().
EffectiveBlocks shaped_blocks(const ImprovementShape& shape, const Vec& flat);

/// The population loss of Eq. (6), Liang and Lai, as a mean over a fixed sample of windows, and the constants of Theorem
/// 3.2. Each window comes from its own MDP, under the agent's first parameters, w ~ U(-1, 1). Const members are
/// thread-safe.
class ImprovementPopulation {
  public:
    ImprovementPopulation(const ImprovementShape& shape, const AgentOptions& agent, int windows, uint64_t seed);

    const ImprovementShape& shape() const { return shape_; }
    /// P12* and V21*.
    const EffectiveBlocks& target() const { return target_; }
    /// Mean over the windows of 1/2 |update - teacher's update|^2, and its gradient, in the order of flat_blocks().
    double loss(const Vec& flat, Vec& gradient) const;
    Objective objective() const {
        return [this](const Vec& flat, Vec& gradient) { return loss(flat, gradient); };
    }

    /// Eigenvalues of the loss's Hessian at (c P12*, V21*/c), ascending: r c + o r. The first belongs to the direction
    /// of the manifold and is 0 up to rounding.
    Vec curvatures(double c) const;

    /// The constants of Assumption 1 (1) on the sample: B_Sigma = max |phi|^2 + |phi'|^2 + r^2, here max |x_i|^2, and
    /// B_w = max |(1, w)|.
    double largest_square() const { return largest_square_; }
    double largest_query() const { return largest_query_; }

    /// Sigma(z) = (1/n) sum_i x_i x_i' of each window, r x r; the queries, c x windows; the Hessian at c = 1.
    const std::vector<Mat>& moments() const { return moments_; }
    const Mat& queries() const { return queries_; }
    const Mat& hessian() const { return hessian_; }

  private:
    Mat hessian_at_one() const;

    ImprovementShape shape_;
    EffectiveBlocks target_;
    std::vector<Mat> moments_;
    Mat queries_, teacher_;  // c x windows, o x windows
    Mat hessian_;
    double largest_square_ = 0.0, largest_query_ = 0.0;
};

}  // namespace emergence
