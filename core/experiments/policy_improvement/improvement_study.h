#pragma once
// Experiments "sarsa" and "actor-critic" (Section 4.1 of Liang and Lai): settings, one seed, all seeds, pictures; and
// one unseen MDP that the user drives by hand.

#include "core/experiments/logged_seed.h"
#include "core/experiments/study_of.h"
#include "core/files/folders.h"
#include "core/lab/figures/claims.h"
#include "core/lab/snapshot.h"
#include "core/lab/study.h"
#include "core/measures/improvement_measures.h"
#include "core/models/constructions.h"
#include "core/pictures/figure_spec.h"
#include "core/settings/fields.h"
#include "core/tasks/layouts.h"
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
    std::string returns = "played";
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
    void drive_fields(Fields& f);
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
    /// Before and after the transformer's update: states x actions.
    Eigen::MatrixXd policy, next_policy;
    /// SARSA: Q_w and q_pi, states * actions; else v_w and v_pi, states.
    Eigen::VectorXd values, exact;
    /// The window that the policy then collects.
    std::vector<PolicyAgent<float>::Visit> window;
    /// The update that the transformer writes for this window, and the teacher's.
    std::vector<float> update, teacher;
    /// The return in the loop that the teacher improves.
    double teacher_return = 0.0;
    /// Exact, from P_0.
    double own_return = 0.0, oracle = 0.0, best_exploring = 0.0;
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

/// The weights of seed `seed` in a snapshot with these arrays, flat as in ImprovementLayout.
std::vector<float> improvement_weights(const ImprovementShape& shape, const Snapshot& snapshot, size_t seed);

ExperimentInfo sarsa();
ExperimentInfo actor_critic();

/// Figures of both experiments. Their presets are those of sarsa; actor-critic takes the settings that both have,
/// except alpha and d.
std::vector<FigureInfo> improvement_figures();
}  // namespace emergence
