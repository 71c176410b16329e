#pragma once
// Shared by all seeds of experiment "regression": fresh prompts in the coordinates of Sigma's eigenvectors,
// the floors that theory's forms reach on them, and the classical algorithms with their best constants.

#include "core/experiments/regression/regression.h"
#include "core/training/in_context_training.h"

namespace emergence {

/// The covariance of seed `seed`: the config's eigenvalues in the seed's rotation.
Covariance covariance_of(const RegressionConfig& config, uint64_t seed);

/// Whether layers move the x, that is, the B_i are trained.
bool moves_points(const RegressionConfig& config);

/// Errors of one algorithm on the race's prompts.
struct RaceLine {
    std::string name;
    std::vector<double> errors;   // mean squared, after 0, 1, .., L layers
    std::vector<double> medians;  // the median prompt's
    std::string constants;        // "step 0.71"
};

/// The prompts, the floor and the algorithms. Immutable, so any thread may read it.
class RegressionWorld {
  public:
    explicit RegressionWorld(const RegressionConfig& config);

    /// Sigma in its own axes.
    const Covariance& covariance() const { return covariance_; }
    const RegressionTask& task(int prompt) const { return tasks_[prompt]; }

    /// The loss of `weights` (for x in Sigma's axes) on the held-out prompts.
    double held_out_loss(InContextLoss<double>& loss, const InContextWeights& weights) const;
    /// The same mean without the kTrimmedShare of the prompts with the largest errors.
    static constexpr double kTrimmedShare = 0.001;
    double trimmed_loss(InContextLoss<double>& loss, const InContextWeights& weights) const;
    /// The squared errors of `weights` on the race's prompts after 0, 1, .., L layers, one vector per layer.
    std::vector<std::vector<double>> errors_by_layer(const InContextWeights& weights) const;

    /// The loss on the held-out prompts of the best weights of theory's form, fitted on other prompts:
    ///     A_i = -a_i Sigma^-1,  and if the x are moved  B_i = b_i I
    /// With one layer exactly the minimum of Theorem 1, or its analogue for w* ~ N(0, Sigma^-1).
    double floor() const { return floor_; }
    /// With moved points: the same without the largest errors.
    double floor_trimmed() const { return floor_trimmed_; }
    /// A name for the floor, such as "floor, scalar A".
    std::string floor_name() const;
    /// The fitted a_i, then b_i; empty for one layer.
    const Eigen::VectorXd& floor_numbers() const { return floor_numbers_; }

    /// Gradient descent, preconditioned gradient descent and GD++, each with its best constants.
    const std::vector<RaceLine>& race() const { return race_; }
    RaceLine ridge_line(double lambda) const;

  private:
    void fit_floor(const GramView<double>& tuning);
    void fit_race(const GramView<double>& tuning);
    std::vector<Eigen::VectorXd> algorithm_iterates(size_t algorithm, const RegressionTask& task) const;

    RegressionConfig config_;
    Covariance covariance_;
    GramSample<double> bank_;
    std::vector<RegressionTask> tasks_;  // the race's prompts: the first of the bank
    Eigen::VectorXd floor_numbers_;
    double floor_ = 0, floor_trimmed_ = 0;
    std::vector<Eigen::VectorXd> constants_;  // of the race's algorithms, in their order
    std::vector<RaceLine> race_;
};

}  // namespace emergence
