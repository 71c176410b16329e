#pragma once
// Experiment "regression": a linear transformer, trained to solve random linear regressions in context,
// discovers preconditioned gradient descent (Ahn et al. 2023).

#include "core/experiments/logged_seed.h"
#include "core/training/in_context_training.h"

namespace emergence {

/// Every setting, with the defaults of Section 5.3 (Theorem 4, Figures 1 and 2).
struct RegressionConfig : InContextTrainingOptions {
    RegressionConfig() { lbfgs.memory = 40; }
    Spectrum spectrum = Spectrum::paper;
    double condition = 16;
    int64_t num_iterations = 160;
    int64_t seed = 0;
    int seeds = 5;
    double ridge_lambda = 0.1;
    int bank_size = 4000;
    int log_interval = 1;

    void fields(Fields& f);
    void model_fields(Fields& f);
    void training_fields(Fields& f);
};

ExperimentInfo regression();

/// The covariance of seed `seed`: the config's eigenvalues in the seed's rotation.
Covariance covariance_of(const RegressionConfig& config, uint64_t seed);

/// Whether layers move the x, that is, the B_i are trained.
bool moves_points(const RegressionConfig& config);

/// Errors of one algorithm on the race's prompts.
struct RaceLine {
    std::string name;
    std::vector<double> errors;  // mean squared, after 0, 1, .., L layers
    double median = 0;           // the median prompt's, after the last layer
    std::string constants = {};  // "step 0.71"
};

/// Makes a line from the squared errors of all prompts, one vector per layer.
RaceLine race_line(std::string name, const std::vector<std::vector<double>>& squares);

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
    /// The same without the largest errors, if the x are moved.
    double floor_trimmed() const { return floor_trimmed_; }
    /// A name for the floor, such as "floor, scalar A".
    std::string floor_name() const;
    /// The fitted a_i, then b_i; empty for one layer.
    const Vec& floor_numbers() const { return floor_numbers_; }

    /// Gradient descent, preconditioned gradient descent and GD++, each with its best constants.
    const std::vector<RaceLine>& race() const { return race_; }
    RaceLine ridge_line(double lambda) const;

  private:
    void fit_floor(const GramView<double>& tuning);
    void fit_race(const GramView<double>& tuning);

    RegressionConfig config_;
    Covariance covariance_;
    GramSample<double> bank_;
    std::vector<RegressionTask> tasks_;  // the race's prompts: the first of the bank
    Vec floor_numbers_;
    double floor_ = 0, floor_trimmed_ = 0;
    std::vector<RaceLine> race_;
};

/// Measures of one seed's weights.
struct RegressionMeasures {
    /// Measures of as many layers and moves as the config has, all 0.
    explicit RegressionMeasures(const RegressionConfig& config);
    void say(Row& row) const;

    /// Measures of the training, which do not follow from the weights alone.
    double loss = 0, gradient_norm = 0;
    double held_out_loss = 0;
    /// The same mean without the largest errors, if the x are moved.
    double held_out_trimmed = 0;
    /// Dist(M, I) = min_a |M - a I| / |M| of M = Sigma^1/2 A Sigma^1/2, of A, and of B_0 .. B_{L-2}.
    std::vector<double> whitened, plain, moves;
    /// Per layer: the power of Sigma^-1 that A is nearest to.
    std::vector<double> powers;
    /// Per layer: -tr(Sigma^1/2 A Sigma^1/2) / d and tr(B) / d.
    std::vector<double> steps, shifts;
    /// One layer: the relative distance to the closed form, after the best scale and as it is.
    double closed_form_error = 0, closed_form_unscaled = 0;
    /// More layers: the share of squares off the diagonals, after joint diagonalisation.
    double off_diagonal_mass = 0;
    /// Whether the data are isotropic, and whether the x are moved.
    bool isotropic, moved;

  private:
    void say_closed_form(Row& row) const;
    void say_joint_diagonal(Row& row) const;
};

RegressionMeasures measure_weights(const RegressionConfig& config, const RegressionWorld& world,
                                   const Covariance& covariance, const InContextWeights& weights,
                                   InContextLoss<double>& loss);

/// One seed's weights with its Sigma.
struct RegressionWeights {
    Covariance covariance;
    InContextWeights weights, initial;
    bool failed = false;
};

/// Sets the matrices, A_i whitened and as trained, B_i, and on isotropic data A_i in the joint basis, d x d; the
/// formulas, preconditioned gradient descent (Lemma 2) and the moved x (Eq. (13), Ahn et al. 2023); and the arrays P
/// and Q, seeds x layers x (d+1) x (d+1), and Sigma, seeds x d x d.
void show_weights(const RegressionConfig& config, const std::vector<RegressionWeights>& seeds, Snapshot& snapshot);
/// Reads the weights back from a snapshot, which does not hold `initial`.
std::vector<RegressionWeights> regression_weights(const RegressionConfig& config, const Snapshot& snapshot);

/// Adds the plots beside the training curves, and their read-outs.
void evaluate_regression(Snapshot& snapshot, const RegressionConfig& config, const RegressionWorld& world);

}  // namespace emergence
