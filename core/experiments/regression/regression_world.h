#pragma once
// What all seeds of experiment "regression" share: fresh prompts in the coordinates of Sigma's eigenvectors,
// the floors that theory's forms reach on them, and the classical algorithms with their best constants.

#include <vector>

#include "core/experiments/regression/regression.h"
#include "core/training/in_context_training.h"

namespace emergence {

Restriction restriction_of(const RegressionConfig& config);
WeightPrior prior_of(const RegressionConfig& config);
/// Of seed `seed`: the config's eigenvalues, in a rotation of its own.
Covariance covariance_of(const RegressionConfig& config, uint64_t seed);
InContextTrainingOptions training_options(const RegressionConfig& config);
/// Whether the x are moved: B_i are trained.
bool moves_points(const RegressionConfig& config);

/// Errors of one algorithm on the race's prompts.
struct RaceLine {
    std::string name;
    std::vector<double> errors;   // mean squared, after 0, 1, .., L layers
    std::vector<double> medians;  // the median prompt's
    std::string constants;        // "step 0.71"
};

/// Immutable once made; safe on any thread.
class RegressionWorld {
  public:
    explicit RegressionWorld(const RegressionConfig& config);

    /// Sigma in its own axes.
    const Covariance& covariance() const { return covariance_; }
    const RegressionTask& task(int prompt) const { return tasks_[static_cast<size_t>(prompt)]; }

    /// The loss of `weights` (for x in Sigma's axes) on the held-out prompts.
    double held_out_loss(InContextLoss<double>& loss, const InContextWeights& weights) const;
    /// Its squared errors on the race's prompts after 0, 1, .., L layers, one vector a layer.
    std::vector<std::vector<double>> errors_by_layer(const InContextWeights& weights) const;
    /// Iterates on one prompt: w_0, w_1, .. as the predictions are <w, query>.
    std::vector<Eigen::VectorXd> iterates(const InContextWeights& weights, int prompt) const;

    /// A_i = -a_i Sigma^-1, and where the x are moved B_i = b_i I: the best found, fitted on prompts of its
    /// own. With one layer the minimum of Theorem 1, or its like for w* ~ N(0, Sigma^-1), exactly.
    const InContextWeights& floor_weights() const { return floor_weights_; }
    /// Its loss on the held-out prompts; with one layer too.
    double floor() const { return floor_; }
    /// "floor, scalar A_i": what the floor is.
    std::string floor_name() const;
    /// a_i, then b_i; empty for one layer.
    const Eigen::VectorXd& floor_numbers() const { return floor_numbers_; }

    /// Gradient descent, preconditioned gradient descent and GD++, each with its best constants.
    const std::vector<RaceLine>& race() const { return race_; }
    RaceLine ridge_line(double lambda) const;
    /// w after each step on one prompt, as in race().
    std::vector<std::vector<Eigen::VectorXd>> race_iterates(int prompt) const;

  private:
    void fit_floor(const GramView<double>& tuning);
    void fit_race(const GramView<double>& tuning);
    std::vector<Eigen::VectorXd> algorithm_iterates(size_t algorithm, const RegressionTask& task) const;

    RegressionConfig config_;
    Covariance covariance_;
    GramSample<double> bank_;
    std::vector<RegressionTask> tasks_;  // the race's: the bank's first
    InContextWeights floor_weights_;
    Eigen::VectorXd floor_numbers_;
    double floor_ = 0;
    std::vector<Eigen::VectorXd> constants_;  // of the race's algorithms, in their order
    std::vector<RaceLine> race_;
};

}  // namespace emergence
