#pragma once
// Every setting of experiments "sarsa" and "actor-critic", with the defaults of Section 4.1 of Liang and Lai.

#include "core/settings/fields.h"
#include "core/training/teacher_mimicking.h"

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
    void run_fields(Fields& f);
    void loop_fields(Fields& f);
    void drive_fields(Fields& f);
    void edit_fields(Fields& f);
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

}  // namespace emergence
