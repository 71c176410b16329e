#pragma once
// Every setting of experiments "sarsa" and "actor-critic", with the defaults of Section 4.1 of Liang and Lai.

#include <string>
#include <utility>

#include "core/experiments/common_fields.h"
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

/// Visits the settings of the task. `most_features` is the maximum of d.
template <class Visitor>
void visit_improvement_task(ImprovementConfig& c, Visitor&& visit, double most_features = 64) {
    visit(states_field("Of each random MDP.", 30, "states", 2), c.num_states);
    visit(FieldInfo{.name = "num_actions",
                    .label = "actions",
                    .help = "In every state.",
                    .group = "task",
                    .minimum = 2,
                    .maximum = 10},
          c.num_actions);
    visit(features_field(
              c.algorithm == Improvement::sarsa
                  ? "Random features of a state and an action, in which Q is linear. With d = states "
                    "x actions every Q is representable."
                  : "Random features of a state, in which the critic's v is linear.",
              most_features),
          c.d);
    if (c.algorithm == Improvement::actor_critic)
        visit(FieldInfo{.name = "m",
                        .label = "policy features m",
                        .help = "Random features of a state and an action, in which the actor's logits are "
                                "linear.",
                        .group = "task",
                        .minimum = 1,
                        .maximum = 64},
              c.m);
    visit(context_length_field(100), c.n);
    visit(gamma_field("Of the rewards, in the MDP and in the teacher's update."), c.gamma);
}

/// Visits the settings of the teacher.
template <class Visitor>
void visit_improvement_teacher(ImprovementConfig& c, Visitor&& visit) {
    const bool sarsa = c.algorithm == Improvement::sarsa;
    visit(FieldInfo{.name = "epsilon",
                    .label = "exploration \u03b5",
                    .help = sarsa ? "Share of actions that are uniformly random; the others are greedy in Q."
                                  : "Share of actions that are uniformly random; the others follow the "
                                    "actor's softmax.",
                    .group = "teacher",
                    .minimum = 0,
                    .maximum = 1},
          c.epsilon);
    visit(FieldInfo{.name = "alpha",
                    .label = sarsa ? "step size \u03b1" : "actor's step \u03b1",
                    .help =
                        sarsa ? "Of the teacher's batch SARSA, Eq. (2)." : "Of the teacher's actor, Eq. (3).",
                    .group = "teacher",
                    .minimum = 0.01,
                    .maximum = 2,
                    .logarithmic = true},
          c.alpha);
    if (!sarsa)
        visit(FieldInfo{.name = "beta",
                        .label = "critic's step \u03b2",
                        .help = "Of the teacher's critic, Eq. (3).",
                        .group = "teacher",
                        .minimum = 0.01,
                        .maximum = 2,
                        .logarithmic = true},
              c.beta);
}

/// "initial gain" of the two blocks that can move, in group `group`.
inline FieldInfo improvement_gain_field(const char* group) {
    FieldInfo field = initial_gain_field(
        "(rows + columns)/2", "Of the two blocks that can move; all else starts and stays at zero.");
    field.group = group;
    return field;
}

/// Visits the settings of training.
template <class Visitor>
void visit_improvement_training(ImprovementConfig& c, Visitor&& visit) {
    visit(FieldInfo{.name = "frames",
                    .label = "frames T",
                    .help = "Windows of n transitions in an MDP, each with an update of the teacher and one "
                            "of the transformer (Algorithms 1 and 2).",
                    .group = "training",
                    .minimum = 1,
                    .maximum = 10000,
                    .logarithmic = true},
          c.frames);
    visit(learning_rate_field("Adam's step size at the start."), c.learning_rate);
    visit(
        FieldInfo{.name = "rate_decay",
                  .label = "rate's decay",
                  .help = "The learning rate is multiplied by this now and then; 1 keeps it constant. After "
                          "10,000 MDPs the paper's 0.99 leaves 4e-5 of it.",
                  .group = "training",
                  .minimum = 0.5,
                  .maximum = 1},
        c.rate_decay);
    visit(FieldInfo{.name = "decay_every",
                    .label = "decays every",
                    .help = "MDPs from one decay of the learning rate to the next.",
                    .group = "training",
                    .unit = "MDPs",
                    .minimum = 1,
                    .maximum = 10000,
                    .logarithmic = true,
                    .advanced = true},
          c.decay_every);
    visit(improvement_gain_field("training"), c.initial_gain);
}

/// Visits the settings of the run.
template <class Visitor>
void visit_improvement_run(ImprovementConfig& c, Visitor&& visit) {
    visit(FieldInfo{.name = "num_mdps",
                    .label = "stop after",
                    .help = "The run stops when every seed has been through this many MDPs.",
                    .group = "run",
                    .unit = "MDPs",
                    .applies = Applies::live,
                    .minimum = 1,
                    .maximum = 1e6,
                    .logarithmic = true},
          c.num_mdps);
    visit(first_seed_field("Each draws its own weights, MDPs and windows."), c.seed);
    visit(num_seeds_field("How many independent trainings. The paper shows one."), c.seeds);
    visit(log_interval_field("MDPs"), c.log_interval);
}

/// Visits the settings of the closed loop.
template <class Visitor>
void visit_improvement_loop(ImprovementConfig& c, Visitor&& visit) {
    visit(FieldInfo{.name = "shown_seed",
                    .label = "seed in the loop",
                    .help = "Which seed's transformer improves policies in closed loop, counted from 0; the "
                            "last where there are fewer.",
                    .group = "evaluation",
                    .applies = Applies::live,
                    .minimum = 0,
                    .maximum = 255},
          c.shown_seed);
    visit(FieldInfo{.name = "loop_mdps",
                    .label = "held-out MDPs",
                    .help = "MDPs that no seed is trained on, in which policies are improved in closed loop.",
                    .group = "evaluation",
                    .minimum = 2,
                    .maximum = 1000,
                    .logarithmic = true},
          c.loop_mdps);
    visit(FieldInfo{.name = "loop_updates",
                    .label = "updates in the loop",
                    .help = "How often each policy is improved; every tenth is measured.",
                    .group = "evaluation",
                    .minimum = 10,
                    .maximum = 10000,
                    .logarithmic = true},
          c.loop_updates);
    visit(FieldInfo{.name = "returns",
                    .label = "returns are",
                    .help = "played: the mean of 32 rollouts of 50 steps from P_0, as in the paper, the same "
                            "random numbers for all. exact (ours): the policy's value, without that noise.",
                    .group = "evaluation",
                    .advanced = true,
                    .choices = {"played", "exact"}},
          c.returns);
}

/// A live setting of the driven MDP.
inline FieldInfo driven_field(std::string name, std::string label, std::string help, double minimum,
                              double maximum, bool logarithmic = false) {
    return {.name = std::move(name),
            .label = std::move(label),
            .help = std::move(help),
            .group = "drive one MDP",
            .applies = Applies::live,
            .minimum = minimum,
            .maximum = maximum,
            .logarithmic = logarithmic};
}

/// Visits the settings of the driven MDP.
template <class Visitor>
void visit_improvement_drive(ImprovementConfig& c, Visitor&& visit) {
    const bool sarsa = c.algorithm == Improvement::sarsa;
    visit(driven_field("drive_mdp", "unseen MDP", "Which MDP is drawn and driven, weights frozen.", 0, 999),
          c.drive_mdp);
    visit(driven_field("drive_updates", "its updates T", "How often its policy is improved.", 1, 500, true),
          c.drive_updates);
    visit(driven_field("drive_n", "its window n",
                       "Transitions in a window there; training had its own n, the layer averages over any.",
                       1, 200, true),
          c.drive_n);
    visit(driven_field("drive_epsilon", "its \u03b5", "Share of random actions there.", 0, 1),
          c.drive_epsilon);
    visit(driven_field(
              "drive_gamma", "its \u03b3",
              "Discount there. The prompt holds \u03b3 times the next features, so that frozen weights "
              "follow it.",
              0, 0.99),
          c.drive_gamma);
    visit(driven_field("drive_alpha", sarsa ? "teacher's \u03b1" : "teacher's actor \u03b1",
                       "Step size of the teacher beside it. The transformer's stands in its weights: where "
                       "both differ, so do the updates.",
                       0.01, 2, true),
          c.drive_alpha);
    if (!sarsa)
        visit(driven_field("drive_beta", "teacher's critic \u03b2", "As the teacher's \u03b1, of the critic.",
                           0.01, 2, true),
              c.drive_beta);
}

/// Visits the settings of the driven MDP's edited reward.
template <class Visitor>
void visit_improvement_edit(ImprovementConfig& c, Visitor&& visit) {
    visit(driven_field("edit_bonus", "added reward",
                       "Added to the reward of every step into a state, from some update on: both loops "
                       "adapt, weights frozen. 0: nothing is edited.",
                       -5, 5),
          c.edit_bonus);
    visit(driven_field("edit_state", "into state", "Which state's; the last where there are fewer.", 0, 29),
          c.edit_state);
    visit(driven_field("edit_at", "from update", "When the reward is added.", 0, 500), c.edit_at);
}

/// Visits every setting.
template <class Visitor>
void visit_improvement_fields(ImprovementConfig& c, Visitor&& visit) {
    visit_improvement_task(c, visit);
    visit_improvement_teacher(c, visit);
    visit_improvement_training(c, visit);
    visit_improvement_run(c, visit);
    visit_improvement_loop(c, visit);
    visit_improvement_drive(c, visit);
    visit_improvement_edit(c, visit);
}

template <class Visitor>
void visit_fields(SarsaConfig& c, Visitor&& visit) {
    visit_improvement_fields(c, visit);
}
template <class Visitor>
void visit_fields(ActorCriticConfig& c, Visitor&& visit) {
    visit_improvement_fields(c, visit);
}

}  // namespace emergence
