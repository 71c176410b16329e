#include "core/experiments/policy_improvement/improvement_fields.h"

#include "core/experiments/common_fields.h"

namespace emergence {

void ImprovementConfig::fields(Fields& f) {
    task_fields(f);
    teacher_fields(f);
    training_fields(f);
    run_fields(f);
    loop_fields(f);
    drive_fields(f);
    edit_fields(f);
}

void ImprovementConfig::task_fields(Fields& f, double most_features) {
    f.group("task");
    f(shape.sizes.num_states, "num_states", "states", "Of each random MDP.").range(2, 30);
    f(shape.sizes.num_actions, "num_actions", "actions", "In every state.").range(2, 10);
    features_field(f, shape.sizes.d,
                   is_sarsa() ? "Random features of a state and an action, in which Q is linear. "
                                "With d = states x actions every Q is representable."
                              : "Random features of a state, in which the critic's v is linear.",
                   most_features);
    if (!is_sarsa())
        f(shape.sizes.m, "m", "policy features m",
          "Random features of a state and an action, in which the actor's logits are linear.")
            .range(1, 64);
    context_length_field(f, shape.n, 100);
    gamma_field(f, agent.gamma, "Of the rewards, in the MDP and in the teacher's update.");
}

void ImprovementConfig::teacher_fields(Fields& f) {
    const bool sarsa = is_sarsa();
    f.group("teacher");
    f(agent.epsilon, "epsilon", "exploration \u03b5",
      sarsa ? "Share of actions that are uniformly random; the others are greedy in Q."
            : "Share of actions that are uniformly random; the others follow the actor's softmax.")
        .range(0, 1);
    f(agent.alpha, "alpha", sarsa ? "step size \u03b1" : "actor's step \u03b1",
      sarsa ? "Of the teacher's batch SARSA, Eq. (2)." : "Of the teacher's actor, Eq. (3).")
        .log_range(0.01, 2);
    if (!sarsa) f(agent.beta, "beta", "critic's step \u03b2", "Of the teacher's critic, Eq. (3).").log_range(0.01, 2);
}

void ImprovementConfig::training_fields(Fields& f) {
    f.group("training");
    f(frames, "frames", "frames T",
      "Windows of n transitions in an MDP, each with an update of the teacher and one "
      "of the transformer (Algorithms 1 and 2).")
        .log_range(1, 10000);
    learning_rate_field(f, adam.learning_rate, "Adam's step size at the start.");
    f(rate_decay, "rate_decay", "rate's decay",
      "Factor of the learning rate at each decay; 1: constant. After 10,000 MDPs the 0.99 of Liang and Lai leaves 4e-5 of it.")
        .range(0.5, 1);
    f(decay_every, "decay_every", "decays every", "MDPs from one decay of the learning rate to the next.")
        .unit("MDPs")
        .log_range(1, 10000)
        .advanced();
    block_gain_field(f);
}

void ImprovementConfig::run_fields(Fields& f) {
    train_for_field(f, num_mdps, "num_mdps", "MDPs", "The run stops when every seed has trained on this many MDPs.")
        .live();
    first_seed_field(f, seed, "Each draws its own weights, MDPs and windows.");
    num_seeds_field(f, seeds, "How many independent trainings. Liang and Lai show one.");
    log_interval_field(f, log_interval, "MDPs");
}

void ImprovementConfig::loop_fields(Fields& f) {
    f.group("evaluation");
    f(shown_seed, "shown_seed", "seed in the loop",
      "The seed whose transformer improves policies in closed loop, counted from 0; the last if there are fewer.")
        .range(0, 255)
        .live();
    f(loop_mdps, "loop_mdps", "held-out MDPs",
      "MDPs that no seed is trained on, in which policies are improved in closed loop.")
        .log_range(2, 1000);
    f(loop_updates, "loop_updates", "updates in the loop",
      "How often each policy is improved; every tenth is measured.")
        .log_range(10, 10000);
    f(returns, "returns", "returns are",
      "Of the policy as it acts, with its exploration. played: the mean of 32 rollouts of 50 steps from P_0, as in "
      "Liang and Lai, the same random numbers for all. exact (ours): the policy's value, without that noise.")
        .choices({"played", "exact"})
        .advanced();
}

void ImprovementConfig::drive_fields(Fields& f) {
    f.group("drive one MDP");
    const bool sarsa = is_sarsa();
    f(drive_mdp, "drive_mdp", "unseen MDP", "The MDP that is drawn and driven, with frozen weights.")
        .range(0, 999)
        .live();
    f(drive_updates, "drive_updates", "its updates T", "How often its policy is improved.").log_range(1, 500).live();
    f(drive_n, "drive_n", "its window n",
      "Transitions in a window there. It may differ from training's: the layer averages over any number.")
        .log_range(1, 200)
        .live();
    f(drive.epsilon, "drive_epsilon", "its \u03b5", "Share of random actions there.").range(0, 1).live();
    f(drive.gamma, "drive_gamma", "its \u03b3",
      "Discount there. The prompt holds \u03b3 times the next features, so frozen weights follow it.")
        .range(0, 0.99)
        .live();
    f(drive.alpha, "drive_alpha", sarsa ? "teacher's \u03b1" : "teacher's actor \u03b1",
      "Step size of the teacher beside it. The transformer's is part of its weights; if both differ, so do the updates.")
        .log_range(0.01, 2)
        .live();
    if (!sarsa)
        f(drive.beta, "drive_beta", "teacher's critic \u03b2", "The same for the teacher's critic.")
            .log_range(0.01, 2)
            .live();
}

void ImprovementConfig::edit_fields(Fields& f) {
    f.group("drive one MDP");
    f(edit_bonus, "edit_bonus", "added reward",
      "Added to the reward of every step into a state, from some update on: both loops adapt, with frozen weights. 0: no "
      "edit.")
        .range(-5, 5)
        .live();
    f(edit_state, "edit_state", "into state", "The state that the reward belongs to; the last if there are fewer.")
        .range(0, 29)
        .live();
    f(edit_at, "edit_at", "from update", "The update from which on the reward is added.").range(0, 500).live();
}

Field ImprovementConfig::block_gain_field(Fields& f) {
    return initial_gain_field(f, initial_gain, "(rows + columns)/2",
                              "Only the two blocks that can move are random; all else is always zero.");
}

}  // namespace emergence
