#pragma once
// How one seed of in-context regression is trained: L-BFGS on a fixed sample of prompts, as Ahn et al. 2023
// have it, or Adam on a stream of ever new ones.

#include <memory>
#include <optional>

#include "core/base/array.h"
#include "core/optim/adam.h"
#include "core/optim/lbfgs.h"
#include "core/tasks/regression_prompt.h"
#include "core/training/in_context_weights.h"

namespace emergence {

struct InContextTrainingOptions {
    int d = 5;
    int n = 20;
    int layers = 3;
    Restriction restriction = Restriction::steps;
    WeightPrior prior = WeightPrior::inverse_covariance;
    double initial_scale = 0.1;
    /// Optimise in the coordinates in which x has covariance I (x~ = Sigma^-1/2 x): the same loss, minima and
    /// starting point, but steps are measured in Sigma's own metric.
    bool whitened = false;
    bool adam = false;    // instead of L-BFGS
    int prompts = 20000;  // of L-BFGS's sample
    int minibatch = 512;  // prompts of one of Adam's updates
    AdamOptions adam_options{.learning_rate = 1e-2};
    LbfgsOptions lbfgs{};
};

/// One seed's training. Its state after k iterations depends on the options, Sigma, the seed and k alone.
class InContextTraining {
  public:
    InContextTraining(const InContextTrainingOptions& options, Covariance covariance, uint64_t seed);

    /// One iteration of L-BFGS, or one update of Adam. Once converged, L-BFGS stays where it is; once
    /// diverged() nothing happens.
    void step();
    int64_t steps() const { return steps_; }
    /// L-BFGS sees no lower loss from here.
    bool converged() const { return lbfgs_.converged(); }
    /// The loss or its gradient stopped being finite; the weights are those before.
    bool diverged() const { return diverged_; }

    /// For x as they are given.
    InContextWeights weights() const;
    const InContextWeights& initial_weights() const { return initial_; }
    const Covariance& covariance() const { return covariance_; }

    /// Loss and norm of the projected gradient: of the present weights on L-BFGS's sample, or of the last
    /// update's minibatch before it (at step 0 the first's).
    struct Progress {
        double loss, gradient_norm;
    };
    Progress progress();

    ArrayMap save() const;
    /// Throws InputError, naming the array, where `state` is not that of such a training.
    void load(const ArrayMap& state);

  private:
    GramSample<float> draw(int prompts, int64_t first) const;
    double evaluate(const GramView<float>& sample, const Eigen::VectorXd& weights, Eigen::VectorXd& gradient);
    Objective objective();
    void adam_step();

    InContextTrainingOptions options_;
    Covariance covariance_;
    uint64_t seed_;
    InContextWeights initial_, weights_;  // the second in the optimiser's coordinates
    std::unique_ptr<InContextLoss<float>> loss_;
    std::optional<GramSample<float>> sample_;  // L-BFGS's, drawn when it is first needed
    Lbfgs lbfgs_;
    Adam<double> adam_;
    Progress last_{0, 0};  // Adam's
    bool known_ = false;   // whether last_ is
    int64_t steps_ = 0;
    bool diverged_ = false;
};

}  // namespace emergence
