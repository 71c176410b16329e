#pragma once
// Inside of experiments "sarsa" and "actor-critic": one seed, all seeds, and their pictures.

#include <memory>
#include <vector>

#include "core/experiments/policy_improvement/improvement_fields.h"
#include "core/metrics/improvement_manifold.h"
#include "core/runtime/study.h"
#include "core/training/teacher_mimicking.h"
#include "core/training/thinned_trace.h"

namespace emergence {

ImprovementShape improvement_shape(const ImprovementConfig& config);
/// P12* and V21* for the config's step sizes.
EffectiveBlocks improvement_target(const ImprovementConfig& config);
std::string improvement_name(Improvement algorithm);  // of the experiment
/// The config of settings of that experiment.
ImprovementConfig improvement_config(Improvement algorithm, const Settings& settings);

/// One seed.
class ImprovementSeed final : public Experiment {
  public:
    ImprovementSeed(const ImprovementConfig& config, uint64_t seed, int seed_index);

    void advance(int64_t target_step, std::vector<MetricRow>& rows) override;
    int64_t step() const override { return training_.updates() / config_.frames; }
    bool failed() const override { return training_.diverged(); }
    SeedStatus status() const override;
    ArrayMap save() const override;
    void load(const ArrayMap& state) override;
    void set_live(const Settings&) override {}  // all live fields concern the study

    const TeacherMimicking& training() const { return training_; }
    /// Rows: sum of learning rates, loss, distance to the manifold.
    const ThinnedTrace& trace() const { return trace_; }

  private:
    void log(std::vector<MetricRow>& rows);

    ImprovementConfig config_;
    EffectiveBlocks target_;
    uint64_t seed_;
    int seed_index_;
    TeacherMimicking training_;
    ThinnedTrace trace_{3};
    int64_t last_logged_ = -1, emerged_at_ = -1;
    bool emerged_ = false;
};

class ImprovementStudy final : public Study {
  public:
    ImprovementStudy(Improvement algorithm, const Settings& settings);

    const Settings& settings() const override { return settings_; }
    std::unique_ptr<Experiment> make_seed(int seed_index) const override;
    int num_seeds() const override { return config_.seeds; }
    int64_t target_step() const override { return config_.num_mdps; }
    std::string step_unit() const override { return "MDPs"; }
    int64_t log_interval() const override { return config_.log_interval; }
    const MetricTable& metrics() const override { return metrics_; }
    const std::vector<MetricPlot>& metric_plots() const override { return plots_; }
    Snapshot describe(const std::vector<const Experiment*>& seeds) const override;
    Snapshot inspect(const Snapshot& snapshot, const Inspection& inspection) const override;
    void set_live(const Settings& settings) override;

  private:
    Settings settings_;
    ImprovementConfig config_;
    MetricTable metrics_;
    std::vector<MetricPlot> plots_;
};

MetricTable improvement_metrics();
std::vector<MetricPlot> improvement_metric_plots(const ImprovementConfig& config);
/// P and V in full, with what cannot move hatched.
std::vector<NamedMatrix> improvement_matrices(const ImprovementConfig& config,
                                              const std::vector<const ImprovementSeed*>& seeds);
std::vector<Formula> improvement_formulas(Improvement algorithm);
/// The blocks that move, seeds x rows x columns: P12, V21.
ArrayMap improvement_arrays(const ImprovementShape& shape, const std::vector<const ImprovementSeed*>& seeds);
/// Loss and distance against the sum of learning rates.
std::vector<PlotSpec> improvement_rate_plots(const std::vector<const ImprovementSeed*>& seeds);

}  // namespace emergence
