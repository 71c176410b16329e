#pragma once
// Shared by the parts of experiment "regression": one seed, all seeds, and their pictures.

#include "core/experiments/logged_seed.h"
#include "core/experiments/regression/regression_world.h"
#include "core/experiments/study_of.h"
#include "core/lab/figures/claims.h"

namespace emergence {

/// Measures of one seed's weights.
struct RegressionMeasures {
    /// Of the training, which the weights alone do not determine.
    double loss = 0, gradient_norm = 0;
    double held_out_loss = 0;
    /// With moved points: the same mean without the largest errors.
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
};

/// Measures one seed's weights on the world's held-out prompts.
RegressionMeasures measure_weights(const RegressionConfig& config, const RegressionWorld& world,
                                   const Covariance& covariance, const InContextWeights& weights,
                                   InContextLoss<double>& loss);
/// Whether a seed has emerged by this laboratory's rule.
bool has_emerged(const RegressionConfig& config, const RegressionMeasures& measures);

/// One seed.
class RegressionSeed final : public TrainedSeed<InContextTraining, RegressionMeasures> {
  public:
    RegressionSeed(const RegressionConfig& config, int seed_index, std::shared_ptr<const RegressionWorld> world);

    int64_t step() const override { return training().steps(); }
    void state(Archive& archive) override {
        settled_.reset();
        TrainedSeed::state(archive);
    }

  protected:
    void take_step() override { own_training().step(); }
    RegressionMeasures measure() override;
    std::string why_diverged() const override;

  private:
    RegressionConfig config_;
    std::shared_ptr<const RegressionWorld> world_;
    std::unique_ptr<InContextLoss<double>> loss_;
    std::optional<RegressionMeasures> settled_;  // the last measures, once L-BFGS has converged
};

/// All seeds.
class RegressionStudy final : public StudyOf<RegressionConfig, RegressionSeed, RegressionWorld> {
  public:
    explicit RegressionStudy(const Settings& settings);
    static void check(const RegressionConfig& config);

  protected:
    void show(const Seeds& seeds, Snapshot& snapshot) const override;
    void evaluate(const RegressionConfig& config, Snapshot& snapshot) const override;
    bool evaluates_on_request() const override { return true; }

  private:
    const Settings first_settings_;  // never replaced: inspections read it on any thread
};

/// Losses, the measures of every layer, and one layer's error against the closed form.
Metrics<RegressionMeasures> regression_metrics(const RegressionConfig& config);
/// `world` gives the floor; if it is null, the plots have none.
std::vector<MetricPlot> regression_metric_plots(const RegressionConfig& config, const RegressionWorld* world);

/// One seed's weights with its Sigma.
struct RegressionWeights {
    Covariance covariance;
    InContextWeights weights, initial;
    bool failed = false;
};

/// A_i whitened and as trained, B_i, and on isotropic data A_i in the joint basis: d x d.
std::vector<NamedMatrix> regression_matrices(const RegressionConfig& config,
                                             const std::vector<RegressionWeights>& seeds);

/// Preconditioned gradient descent (Lemma 2), and the moved x (Eq. (13), Ahn et al. 2023).
std::vector<Formula> regression_formulas(const RegressionConfig& config);

/// P and Q, seeds x layers x (d+1) x (d+1), and Sigma, seeds x d x d.
ArrayMap regression_arrays(const RegressionConfig& config, const std::vector<RegressionWeights>& seeds);
/// Reads the weights back from a snapshot, which does not hold `initial`.
std::vector<RegressionWeights> regression_weights(const RegressionConfig& config, const Snapshot& snapshot);

/// Adds the plots beside the training curves, and their read-outs.
void evaluate_regression(Snapshot& snapshot, const RegressionConfig& config, const RegressionWorld& world);

constexpr int kTrainedColor = 0, kTheoryColor = 2, kLimitColor = 7;


}  // namespace emergence
