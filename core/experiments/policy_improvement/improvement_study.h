#pragma once
// Shared by experiments "sarsa" and "actor-critic": one seed, all seeds, and their pictures.

#include "core/experiments/logged_seed.h"
#include "core/experiments/policy_improvement/improvement_fields.h"
#include "core/experiments/study_of.h"
#include "core/lab/figures/claims.h"
#include "core/lab/snapshot.h"
#include "core/lab/study.h"
#include "core/measures/improvement_measures.h"
#include "core/models/constructions.h"
#include "core/tasks/layouts.h"
#include "core/training/teacher_mimicking.h"
#include "core/training/thinned_trace.h"

namespace emergence {

/// Colours of all pictures.
inline constexpr int kTransformerColor = 0, kTeacherColor = 1, kOracleColor = 2, kRandomColor = 7;

/// P12* and V21* for the config's step sizes.
EffectiveBlocks improvement_target(const ImprovementConfig& config);

/// What a seed measures at a logged step.
struct ImprovementMeasured {
    TeacherMimicking::Losses losses;
    double held_out_loss = 0;
    ManifoldFit fit;
    double rate_sum = 0, learning_rate = 0;
};

/// One seed.
class ImprovementSeed final : public TrainedSeed<TeacherMimicking, ImprovementMeasured> {
  public:
    ImprovementSeed(const ImprovementConfig& config, int seed_index, std::shared_ptr<const HeldOutWindows> held_out);

    int64_t step() const override { return training().updates() / frames_; }
    void state(Archive& archive) override;
    /// Rows: sum of learning rates, loss, distance to the manifold.
    const ThinnedTrace& trace() const { return trace_; }

  protected:
    void take_step() override {
        for (int frame = 0; frame < frames_; ++frame) own_training().update();
    }
    ImprovementMeasured measure() override;
    std::string why_diverged() const override;

  private:
    std::shared_ptr<const HeldOutWindows> held_out_;
    EffectiveBlocks target_;
    int frames_;
    ThinnedTrace trace_{3};
};

/// Adds the shown seed's closed loop: plots, read-outs and the driven MDP. `evaluated_seed` is the seed that
/// an evaluated snapshot shows; if it is the same, only the driven MDP is drawn again.
void evaluate_improvement(Snapshot& snapshot, const ImprovementConfig& config, const ClosedLoop& loop,
                          int evaluated_seed);

/// `Config` is SarsaConfig or ActorCriticConfig.
template <class Config>
class ImprovementStudy final : public StudyOf<Config, ImprovementSeed, HeldOutWindows> {
  public:
    explicit ImprovementStudy(const Settings& settings);

    Snapshot inspect(const Snapshot& snapshot, const Inspection& inspection) const override;

  protected:
    void show(const std::vector<const ImprovementSeed*>& seeds, Snapshot& snapshot) const override;
    void evaluate(const Config& config, Snapshot& snapshot) const override {
        evaluate_improvement(snapshot, config, *loop_, -1);
    }
    bool evaluates_on_request() const override { return true; }

  private:
    std::shared_ptr<const ClosedLoop> loop_;
};

/// Losses, distance to the manifold, scale c, and learning rate.
Metrics<ImprovementMeasured> improvement_metrics();

/// These metrics against MDPs.
std::vector<MetricPlot> improvement_metric_plots(const ImprovementConfig& config);
/// Loss against the sum of learning rates.
std::vector<PlotSpec> improvement_rate_plots(const std::vector<const ImprovementSeed*>& seeds);

/// The closed loop's options, with the held-out MDPs that all seeds share.
ClosedLoopOptions closed_loop_options(const ImprovementConfig& config);
/// Windows of the first of the same MDPs.
HeldOutWindows held_out_windows(const ImprovementConfig& config);
/// The weights of seed `seed` in a snapshot, flat as in ImprovementLayout.
std::vector<float> improvement_weights(const ImprovementShape& shape, const Snapshot& snapshot, size_t seed);

/// The blocks of a seed that can move, as trained and at the start.
struct SeedBlocks {
    EffectiveBlocks now, initial;
};

/// The full P and V, with the blocks that cannot move hatched. `target`: P12*, V21*.
std::vector<NamedMatrix> improvement_matrices(const ImprovementShape& shape, const EffectiveBlocks& target,
                                              const std::vector<SeedBlocks>& seeds);

/// The teacher's update, Eq. (2) or (3) of Liang and Lai, tied to the blocks that carry it out.
std::vector<Formula> improvement_formulas(Improvement algorithm);
/// The blocks that move, seeds x rows x columns: P12, V21.
ArrayMap improvement_arrays(const std::vector<SeedBlocks>& seeds);

/// The experiments' entries in the registry.
ExperimentInfo sarsa();
ExperimentInfo actor_critic();

}  // namespace emergence
