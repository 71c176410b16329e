#include "core/experiments/bandits/bandit_train_fields.h"

#include "core/experiments/common_fields.h"

namespace emergence {

void BanditTrainConfig::fields(Fields& f) {
    BanditLookFields::fields(f);
    network_fields(f);
    family_fields(f);
    imitation_fields(f);
    test_fields(f);
    first_seed_field(f, seed, "Each draws its own weights and environments.");
    num_seeds_field(f, seeds, "How many independent trainings, each on one core at a time.");
}

void BanditTrainConfig::network_fields(Fields& f) {
    f.group("model");
    f(shape.layers, "layers", "layers L", "Each an attention and an MLP. The paper takes 16.").range(1, 24);
    f(shape.heads, "heads", "heads",
      "Of each attention; they share the width, which must be a multiple. The paper takes 16.")
        .range(1, 24);
    f(shape.width, "width", "width", "Numbers that stand for a round, within the network.").log_range(4, 512);
    f(shape.hidden, "hidden", "MLP", "Hidden units of each MLP, with ReLU as in Section 2.2.")
        .log_range(4, 2048);
    f.choice(shape.attention, {{"softmax", CausalAttention::softmax}, {"relu", CausalAttention::relu}},
             "attention", "attention", "Softmax as in GPT, or the theory's ReLU(q k) / i (Section 2.2).");
}

void BanditTrainConfig::family_fields(Fields& f) {
    f.group("environments");
    const std::string share =
        "How many of the training environments are of this kind, relative to the other kinds' shares.";
    f(family.shares[0], "share_cosine", "share of cosine", share).range(0, 1);
    f(family.shares[1], "share_elevated", "share of elevated", share).range(0, 1);
    f(family.shares[2], "share_abrupt", "share of abrupt", share).range(0, 1);
    f(family.shares[3], "share_drift", "share of drift", share).range(0, 1);
    f.choice(family.cosines,
             {{"continuous", CosineTraining::continuous},
              {"continuous_one_phase", CosineTraining::continuous_one_phase},
              {"four", CosineTraining::four},
              {"four_any_phase", CosineTraining::four_any_phase}},
             "frequencies", "training frequencies",
             "Continuous: b ~ U(0, b max), random phase. Four: exactly the paper's 0.005, 0.01, 0.015, "
             "0.02, always the same phase, which the network memorises. The others, ours, have one of both.");
    f(family.max_frequency, "max_frequency", "b max", "Continuous training frequencies go up to here.")
        .range(0, 0.06);
    f(family.stationary, "stationary", "stationary", "Share of the cosine environments that have b = 0.")
        .range(0, 1)
        .advanced();
    f(family.max_segments, "max_segments", "J max", "Abrupt: J is uniform from 1 to this.")
        .range(1, 32)
        .advanced();
    f(family.max_angle, "max_angle", "angle max", "Drift: w turns by up to this many radians.")
        .range(0, 50)
        .advanced();
    f(family.d, "d", "features d", "Entries of an action vector. The weights fix it.")
        .range(1, 64)
        .advanced();
    f(family.arms, "arms", "arms A", "The weights fix their number.").range(2, 32).advanced();
    f(family.rounds, "rounds", "rounds T", "The weights fix the greatest.").range(10, 1000).advanced();
    f(family.noise, "noise", "noise", "Standard deviation, before the environment's scaling.")
        .range(0, 5)
        .advanced();
    // The network and the test have the sizes of training.
    shape.d = test.d = family.d;
    shape.arms = test.arms = family.arms;
    shape.rounds = test.rounds = family.rounds;
    test.noise = family.noise;
}

void BanditTrainConfig::imitation_fields(Fields& f) {
    f.group("training");
    f(adam.learning_rate, "learning_rate", "learning rate",
      "Adam's greatest step size; it falls to 3 % along half a cosine.")
        .log_range(0, 0.1);
    f(batch, "batch", "batch", "Fresh environments per update. Small batches learn faster.")
        .log_range(1, 128);
    f(steps, "num_steps", "stop after",
      "Updates. The learning rate's fall is stretched over them, so that the run starts again. "
      "0: untrained, as a control.")
        .log_range(0, 1e6);
    f(warm_up, "warm_up", "warm-up", "Updates over which the learning rate rises.")
        .log_range(1, 1e4)
        .advanced();
    f(adam.weight_decay, "weight_decay", "weight decay",
      "AdamW: an update takes the learning rate times this off every weight.")
        .log_range(0, 0.1)
        .advanced();
    f(clip, "clip", "clip at", "Greatest norm of the gradient.").log_range(0.01, 100).advanced();
    f(played_by_others, "played_by_others", "own play from",
      "From this update on the network plays half of its training contexts itself. Before, and in the other half, "
      "discounted Thompson sampling without the action vectors plays.")
        .range(0, 1e6)
        .advanced();
}

void BanditTrainConfig::test_fields(Fields& f) {
    f.group("evaluation");
    f.choice(test.kind, words_of<BanditKind>(bandit_kind_names()), "test_kind", "test on",
             "The environments of the second regret plot. "
             "The temperature is chosen on fresh environments of the training family, never on these.");
    f(test.frequency, "test_frequency", "test b", "The paper tests 0.018 and 0.025.")
        .range(0, 0.06)
        .advanced();
    f(test.segments, "test_segments", "test J", "Segments, if the test is abrupt.")
        .log_range(1, 32)
        .advanced();
    f(test.angle, "test_angle", "test angle", "Radians, if the test is drift.").range(0, 50).advanced();
    f(bank_size, "bank_size", "environments", "In the validation stream, and in the test.")
        .log_range(4, 2000)
        .advanced();
    log_interval_field(f, log_interval, "updates");
}

}  // namespace emergence
