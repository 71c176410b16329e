#pragma once
// What the parts of experiment "softmax-td" share: its seeds, its study, its pictures and its claims.

#include <memory>
#include <vector>

#include "core/experiments/configured_study.h"
#include "core/experiments/softmax_td/softmax_td.h"
#include "core/experiments/trained_seed.h"
#include "core/measures/softmax_td_bank.h"
#include "core/training/softmax_td_training.h"
#include "core/training/thinned_trace.h"

namespace emergence {

/// A seed counts as emerged from these scores on, with all four lamps lit (ours).
constexpr double kSoftmaxEmerged = 0.7;

SoftmaxTdTrainingOptions softmax_training_options(const SoftmaxTdConfig& config);

/// Theorem 1's weights, as a training holds them: P, then Q.
std::vector<float> constructed_softmax_weights(int d, double step, double sharpness);

/// The held-out world that all seeds share, and what the classical algorithms reach on it.
struct SoftmaxTdReferences {
    double zero = 0;        // predicting 0
    double batch_td = 0;    // linear batch TD of L steps
    double softmax_td = 0;  // weighted softmax TD of L steps, Theorem 1's weights
    double alpha = 0;       // their step sizes and the sharpness: the best of a few on chains of their own
    double step = 0, sharpness = 0;
};
std::shared_ptr<const SoftmaxTdBank> softmax_bank(const SoftmaxTdConfig& config);
SoftmaxTdReferences softmax_references(const SoftmaxTdConfig& config, const SoftmaxTdBank& bank);

/// One seed.
class SoftmaxTdSeed final : public TrainedSeed<SoftmaxTdTraining> {
  public:
    SoftmaxTdSeed(const SoftmaxTdConfig& config, int seed_index, std::shared_ptr<const SoftmaxTdBank> bank);

    int64_t step() const override { return training().updates(); }
    /// Rows kappa, V-emergence, A-emergence.
    const ThinnedTrace& trace() const { return trace_; }
    /// At the best checkpoint.
    double best_kappa() const { return best_kappa_; }

  protected:
    void train_one_step() override { own_training().update(); }
    std::vector<double> measure() override;
    std::string why_diverged() const override;

  private:
    double temperature_;
    std::shared_ptr<const SoftmaxTdBank> bank_;
    std::unique_ptr<SoftmaxTdWindows<float>> workspace_;
    ThinnedTrace trace_{3};
    double best_kappa_ = 0;
};

class SoftmaxTdStudy final : public ConfiguredStudy<SoftmaxTdConfig> {
  public:
    explicit SoftmaxTdStudy(const Settings& settings);

    std::unique_ptr<Experiment> make_seed(int seed_index) const override;
    int64_t target_step() const override { return config_.num_updates; }
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override;
    Snapshot inspect(const Snapshot& snapshot, const Inspection& inspection) const override;

  private:
    std::shared_ptr<const SoftmaxTdBank> bank_;
};

/// One seed's weights in a snapshot: those to be shown, by the field `show`.
struct ShownSeed {
    std::vector<float> weights;
    double mixing = 0;
};

/// Fills in what depends on the live fields alone: matrices, the microscope, lamps and read-outs, from
/// snapshot.weights. Keeps the plots that do not.
void show_softmax_snapshot(Snapshot& snapshot, const SoftmaxTdConfig& config, const SoftmaxTdBank& bank);
/// V and A against kappa, of all seeds.
PlotSpec emergence_against_kappa(const std::vector<const SoftmaxTdSeed*>& seeds);

MetricTable softmax_td_metrics();
std::vector<MetricPlot> softmax_td_plots(const SoftmaxTdConfig& config,
                                         const SoftmaxTdReferences& references);
/// The matrices of the microscope at one prompt: kernel, values, TD errors, what is written.
std::vector<NamedMatrix> softmax_microscope(const SoftmaxTdConfig& config, const SoftmaxTdBank& bank,
                                            const std::vector<ShownSeed>& seeds);
/// Values of that prompt's states, layer by layer.
PlotSpec softmax_values_plot(const SoftmaxTdConfig& config, const SoftmaxTdBank& bank,
                             const std::vector<ShownSeed>& seeds);

}  // namespace emergence
