#pragma once
// Every setting of experiments "sarsa" and "actor-critic", with the defaults of Section 4.1 of Liang and Lai.

#include <string>
#include <utility>

#include "core/settings/field_builder.h"
#include "core/tasks/improvement_sizes.h"

namespace emergence {

/// The settings of both experiments; `algorithm` selects between them.
struct ImprovementConfig {
    Improvement algorithm = Improvement::sarsa;  // not a setting: each experiment has its own
    int num_states = 9, num_actions = 4, d = 36, m = 0;
    int n = 20;
    double gamma = 0.5, epsilon = 0.1, alpha = 0.2, beta = 0.8;
    int frames = 1000;
    double learning_rate = 1e-3, rate_decay = 0.99;
    int decay_every = 10;
    double initial_gain = 0.1;
    int64_t num_mdps = 10000;
    int64_t seed = 0;
    int seeds = 2;
    int log_interval = 10;
    int shown_seed = 0;
    int loop_mdps = 100, loop_updates = 500;
    std::string returns = "played";
    int drive_mdp = 0, drive_updates = 100, drive_n = 20;
    double drive_gamma = 0.5, drive_epsilon = 0.1, drive_alpha = 0.2, drive_beta = 0.8;
    int edit_at = 50, edit_state = 0;
    double edit_bonus = 0.0;

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
        algorithm = Improvement::actor_critic;
        d = 9;
        m = 36;
    }
};

}  // namespace emergence
