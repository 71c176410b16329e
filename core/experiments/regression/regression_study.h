#pragma once
// Inside of experiment "regression": one seed, all seeds, and their pictures.

#include <memory>
#include <vector>

#include "core/experiments/configured_study.h"
#include "core/experiments/regression/regression_world.h"
#include "core/experiments/trained_seed.h"

namespace emergence {

/// What is measured of one seed's weights, in the order of regression_metrics() after loss and gradient norm.
struct RegressionMeasures {
    double held_out_loss = 0;
    std::vector<double> whitened, plain,
        moves;                          // Dist(., I) of Sigma^1/2 A Sigma^1/2, of A, of B_0 .. B_{L-2}
    std::vector<double> steps, shifts;  // -tr(Sigma^1/2 A Sigma^1/2)/d, tr(B)/d
    double closed_form_error = 0;       // one layer: to the closed form, after the best scale
    double off_diagonal_mass = 0;       // after joint diagonalisation; more layers
};
RegressionMeasures measure_weights(const RegressionConfig& config, const RegressionWorld& world,
                                   const Covariance& covariance, const InContextWeights& weights,
                                   InContextLoss<double>& loss);
/// This laboratory's rule, see regression_emergence_rule().
bool has_emerged(const RegressionConfig& config, const RegressionMeasures& measures);
extern const char* const kRegressionEmergence;

/// One seed.
class RegressionSeed final : public TrainedSeed<InContextTraining> {
  public:
    RegressionSeed(const RegressionConfig& config, int seed_index,
                   std::shared_ptr<const RegressionWorld> world);

    int64_t step() const override { return training().steps(); }

  protected:
    void train_one_step() override { own_training().step(); }
    std::vector<double> measure() override;
    std::string why_diverged() const override;
    void forget() override { settled_.clear(); }

  private:
    RegressionConfig config_;
    std::shared_ptr<const RegressionWorld> world_;
    std::unique_ptr<InContextLoss<double>> loss_;
    std::vector<double> settled_;  // the last row, once L-BFGS stays where it is
};

class RegressionStudy final : public ConfiguredStudy<RegressionConfig> {
  public:
    explicit RegressionStudy(const Settings& settings);

    std::unique_ptr<Experiment> make_seed(int seed_index) const override {
        return std::make_unique<RegressionSeed>(config_, seed_index, world_);
    }
    int64_t target_step() const override { return config_.num_iterations; }
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override;
    Snapshot outline(const std::vector<const Experiment*>& seeds) const override;
    Snapshot inspect(const Snapshot& snapshot, const Inspection& inspection) const override;

  private:
    const Settings first_settings_;  // never replaced: inspections read it on any thread
    const std::shared_ptr<const RegressionWorld> world_;
};

MetricTable regression_metrics(const RegressionConfig& config);
/// `world`: for the floor; null leaves it out.
std::vector<MetricPlot> regression_metric_plots(const RegressionConfig& config, const RegressionWorld* world);

/// One seed's weights with its Sigma.
struct RegressionWeights {
    Covariance covariance;
    InContextWeights weights, initial;
    bool failed = false;
};
std::vector<NamedMatrix> regression_matrices(const RegressionConfig& config,
                                             const std::vector<RegressionWeights>& seeds);
std::vector<Formula> regression_formulas(const RegressionConfig& config);
ArrayMap regression_arrays(const RegressionConfig& config, const std::vector<RegressionWeights>& seeds);
/// Back from a snapshot; `initial` is not in it.
std::vector<RegressionWeights> regression_weights(const RegressionConfig& config, const Snapshot& snapshot);

/// The plots that are no training history, and their read-outs.
void evaluate_regression(Snapshot& snapshot, const RegressionConfig& config, const RegressionWorld& world);

}  // namespace emergence
