#pragma once
// Experiments "sarsa" and "actor-critic" (Section 4.1 of Liang and Lai): settings, pictures, and one unseen MDP that
// the user drives by hand. Experiment "policy-flow" (Theorem 3.2): gradient flow on the population loss of SARSA's or
// actor-critic's teacher, from a chosen distance off the manifold or from random weights: the loss against time, its
// exponential rate, and the starts that do not arrive.

#include <map>
#include <mutex>

#include "core/experiments/logged_seed.h"
#include "core/experiments/study_of.h"
#include "core/files/folders.h"
#include "core/lab/snapshot.h"
#include "core/measures/improvement_measures.h"
#include "core/optim/descent.h"
#include "core/training/teacher_mimicking.h"
#include "core/training/training_log.h"

namespace emergence {

/// The settings of both experiments; `shape.sizes.algorithm`, which is no setting, selects between them.
struct ImprovementConfig : TeacherMimickingOptions {
    int64_t num_mdps = 10000;
    int64_t seed = 0;
    int seeds = 2;
    int log_interval = 10;
    int shown_seed = 0;
    int loop_mdps = 100, loop_updates = 500;
    int drive_mdp = 0, drive_updates = 100, drive_n = 20;
    AgentOptions drive;
    int edit_at = 50, edit_state = 0;
    double edit_bonus = 0.0;

    const ImprovementSizes& sizes() const { return shape.sizes; }
    bool is_sarsa() const { return sizes().algorithm == Improvement::sarsa; }

    void fields(Fields& f);
    /// `most_features`: the maximum of d.
    void task_fields(Fields& f, double most_features = 64);
    void teacher_fields(Fields& f);
    void training_fields(Fields& f);
    /// "initial gain" of the two blocks that can move.
    Field block_gain_field(Fields& f);
};

/// The defaults of experiment "sarsa".
struct SarsaConfig : ImprovementConfig {};

/// The defaults of experiment "actor-critic".
struct ActorCriticConfig : ImprovementConfig {
    ActorCriticConfig() {
        shape.sizes.algorithm = Improvement::actor_critic;
        shape.sizes.d = 9;
        shape.sizes.m = 36;
    }
};

/// The state of the closed loop between two windows.
struct DrivenMoment {
    Mat policy, next_policy;                        // before and after the transformer's update: states x actions
    Vec values, exact;                              // SARSA: Q_w and q_pi, states * actions; else v_w and v_pi, states
    std::vector<PolicyAgent<float>::Visit> window;  // the window that the policy then collects
    std::vector<float> update, teacher;  // the update that the transformer writes for this window, and the teacher's
    double teacher_return = 0.0;         // the return in the loop that the teacher improves
    double own_return = 0.0, oracle = 0.0, best_exploring = 0.0;  // exact, from P_0
};

/// Runs the closed loop of a block's weights at the live settings of group "drive": drive_updates + 1 moments.
std::vector<DrivenMoment> drive(const ImprovementConfig& config, const float* weights);

/// The same loop as a scene that plays.
Scene improvement_scene(const ImprovementConfig& config, const float* weights);

/// Colours of all pictures.
inline constexpr int kTransformerColor = 0, kTeacherColor = 1, kOracleColor = 2, kRandomColor = 7;

/// The returns of a network in the closed loop, by its weights.
using KnownReturns = Memo<std::vector<float>, LoopReturns>;
/// Adds the shown seed's closed loop: plots, read-outs and the driven MDP. Only weights that are not `known` are played.
void evaluate_improvement(Snapshot& snapshot, const ImprovementConfig& config, const ClosedLoop& loop,
                          KnownReturns& known);

/// Adds a column of the seeds' traces against the first one. All seeds log at the same times.
void add_trace(Plot& plot, const char* name, const auto& seeds, size_t column) {
    std::vector<double> x;
    std::vector<std::vector<double>> rows;
    for (const auto* seed : seeds) {
        if (std::vector<double> own = seed->trace().column(0); own.size() > x.size()) x = std::move(own);
        rows.push_back(seed->trace().column(column));
        plot.spec().seeds.push_back(seed->status().seed);
    }
    for (std::vector<double>& row : rows) row.resize(x.size(), kMissing);
    plot.line(name, std::move(x), std::move(rows)).color(kTransformerColor);
}

/// Says the distance to the manifold and its scale, drawn in these plots.
void say_fit(const ManifoldFit& fit, Row& row, HistoryPlot* distance = nullptr, HistoryPlot* scale = nullptr);

/// The blocks of a seed that can move, as trained and at the start.
struct SeedBlocks {
    EffectiveBlocks now, initial;
};

/// Sets three parts of the snapshot: the matrices P and V, hatched where they cannot move; the teacher's update, Eq.
/// (2) or (3) of Liang and Lai, tied to the blocks that carry it out; and the arrays P12 and V21 of the blocks that
/// move, seeds x rows x columns. target: P12*, V21*.
void show_blocks(const ImprovementShape& shape, const EffectiveBlocks& target, const std::vector<SeedBlocks>& seeds,
                 Snapshot& snapshot);

struct PolicyFlowConfig : ImprovementConfig {
    PolicyFlowConfig() {
        shape.sizes.num_states = 4;
        shape.sizes.num_actions = 2;
        shape.sizes.d = 4;
        seeds = 8;
        log_interval = 1;  // not a setting: every step is logged
    }
    std::string start = "off_manifold";
    double distance = 0.5, scale = 0.5;
    int windows = 400;
    int policy_features = 3;  // m; only actor-critic has it
    double interval = 100.0;
    int64_t num_steps = 300;

    void fields(Fields& f);
    /// The shape, without policy features for SARSA.
    ImprovementShape teacher_shape() const {
        ImprovementShape of = shape;
        of.sizes.m = is_sarsa() ? 0 : policy_features;
        return of;
    }
};

/// The curvature of the loss around a point (c P12*, V21*/c) of the manifold.
struct Curvature {
    /// The least and the largest eigenvalue of the Hessian, without the manifold's own direction.
    double least = 0.0, largest = 0.0;
    /// In the end the loss falls in the slowest direction as
    ///     exp(-rate() t).
    double rate() const { return 2.0 * least; }
    /// Theorem 3.2's rate for r to 0,
    ///     2 mu_r = 2 m_0^2 / M_0,
    /// with the tightest constants m_0 = least and M_0 = largest.
    double guaranteed_rate() const { return 2.0 * least * least / largest; }
};

/// The population of a config, with a cache of curvatures. Any thread may call it.
class FlowWorld {
  public:
    explicit FlowWorld(const PolicyFlowConfig& config);

    const ImprovementPopulation& population() const { return population_; }
    /// The curvature at scale |c|, rounded to three digits.
    Curvature curvature(double c) const;
    /// The largest radius of the theorem's tube around the point at c, over that point's norm:
    ///     r < sqrt(m_0) / (3 C_Q),  C_Q = B_Sigma B_w / 2
    double guaranteed_distance(double c) const;

  private:
    ImprovementPopulation population_;
    mutable std::mutex mutex_;
    mutable std::map<double, Curvature> known_;
};

/// What a start measures at a step.
struct FlowMeasured {
    double time = 0, loss = 0, balance = 0;
    ManifoldFit fit;

    void say(Row& row) const;
};

class FlowSeed final : public CountedSeed<FlowMeasured> {
  public:
    FlowSeed(const PolicyFlowConfig& config, int seed_index, std::shared_ptr<const FlowWorld> world);

    bool failed() const override { return flow_.failed(); }
    void state(Archive& archive) override;

    const FlowWorld& world() const { return *world_; }
    EffectiveBlocks blocks() const { return shaped_blocks(world_->population().shape(), flow_.x()); }
    const EffectiveBlocks& start() const { return start_; }
    /// Rows: time, loss, relative distance, c.
    const ThinnedTrace& trace() const { return trace_; }

  protected:
    void take_step() override {
        flow_.advance(world_->population().objective(), interval_ * static_cast<double>(step_ + 1));
        if (!flow_.failed()) ++step_;
    }
    FlowMeasured measure() override;
    std::string why_failed() const override {
        return fmt::format("the solver found no step short enough after time {:g}", flow_.time());
    }

  private:
    double interval_;
    std::shared_ptr<const FlowWorld> world_;
    EffectiveBlocks start_;
    GradientFlow flow_;
    ThinnedTrace trace_{4};
};

/// From the rows of a FlowSeed's trace, the loss's exponential rate over their last half, and theory's rate at the last
/// scale. NaN if the loss is rounding (measured), or if the flow is not near the manifold (theory).
struct FlowRates {
    double measured = 0.0, theory = 0.0;
};
FlowRates flow_rates(const FlowWorld& world, const std::vector<std::vector<double>>& rows);

ExperimentInfo sarsa();
ExperimentInfo actor_critic();
ExperimentInfo policy_flow();

/// Figures of sarsa and actor-critic. Their presets are those of sarsa; actor-critic takes the settings that both have,
/// except alpha and d.
std::vector<FigureInfo> improvement_figures();

}  // namespace emergence
