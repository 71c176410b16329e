#pragma once
// The training of one seed of in-context regression: L-BFGS on a fixed sample of prompts, as in Ahn et al. 2023, or
// Adam on a stream of new prompts.

#include <memory>
#include <optional>

#include "core/base/array.h"
#include "core/optim/adam.h"
#include "core/optim/descent.h"
#include "core/tasks/regression.h"
#include "core/training/in_context_weights.h"

namespace emergence {

/// The task, the network and the constants of training.
struct InContextTrainingOptions {
    int d = 5;
    int n = 20;
    int layers = 3;
    Restriction restriction = Restriction::steps;
    WeightPrior prior = WeightPrior::inverse_covariance;
    double initial_scale = 0.1;
    // Optimise in the coordinates x~ = Sigma^-1/2 x, in which x has covariance I: the same loss, minima and starting
    // point, but steps in Sigma's own metric.
    bool whitened = false;
    // Adam instead of L-BFGS.
    bool adam = false;
    // L-BFGS: prompts of the sample.
    int prompts = 20000;
    // Adam: prompts per update.
    int minibatch = 512;
    AdamOptions adam_options{.learning_rate = 1e-2};
    LbfgsOptions lbfgs{};
};

/// One seed's training. Its state after k iterations depends only on the options, Sigma, the seed and k.
class InContextTraining : public Archived<InContextTraining> {
  public:
    InContextTraining(const InContextTrainingOptions& options, Covariance covariance, uint64_t seed);

    /// One iteration of L-BFGS or one update of Adam. L-BFGS does not move once converged(); nothing moves once
    /// diverged().
    void step();
    int64_t steps() const { return steps_; }
    /// Whether L-BFGS finds no lower loss.
    bool converged() const { return lbfgs_.converged(); }
    /// Whether the loss or its gradient was not finite; the weights are those before that step.
    bool diverged() const { return diverged_; }

    /// The weights in the coordinates of the given x, also if `whitened`.
    InContextWeights weights() const;
    const InContextWeights& initial_weights() const { return initial_; }
    const Covariance& covariance() const { return covariance_; }

    /// Loss and norm of the projected gradient. L-BFGS: of the present weights on its sample. Adam: of the weights
    /// before the last update on its minibatch; at step 0 on the first minibatch.
    struct Progress {
        double loss, gradient_norm;
    };
    Progress progress();

    /// All that the next step depends on.
    void state(Archive& archive);

  private:
    GramSample<float> draw(int prompts, int64_t first) const;
    double evaluate(const GramView<float>& sample, const Eigen::VectorXd& weights, Eigen::VectorXd& gradient);
    Objective objective();
    void adam_step();

    InContextTrainingOptions options_;
    Covariance covariance_;
    uint64_t seed_;
    // weights_ are in the optimiser's coordinates.
    InContextWeights initial_, weights_;
    std::unique_ptr<InContextLoss<float>> loss_;
    // L-BFGS: the sample, drawn at its first use.
    std::optional<GramSample<float>> sample_;
    Lbfgs lbfgs_;
    Adam<double> adam_;
    // Adam: the last update's progress, and whether it is known.
    Progress last_{0, 0};
    bool known_ = false;
    int64_t steps_ = 0;
    bool diverged_ = false;
};

}  // namespace emergence
