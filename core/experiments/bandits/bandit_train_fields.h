#pragma once
// The settings of experiment "bandit-train".

#include <string>

#include "core/experiments/common_fields.h"

namespace emergence {

/// Every setting of experiment "bandit-train".
struct BanditTrainConfig {
    int layers = 2;
    int heads = 2;
    int width = 32;
    int hidden = 128;
    std::string attention = "softmax";

    double share_cosine = 1.0, share_elevated = 0.0, share_abrupt = 0.0, share_drift = 0.0;
    std::string frequencies = "continuous";
    double max_frequency = 0.022;
    double stationary = 0.15;
    int max_segments = 8;
    double max_angle = 8.0;
    int d = 32;
    int arms = 10;
    int rounds = 200;
    double noise = 1.5;

    double learning_rate = 2e-3;
    int batch = 8;
    int64_t num_steps = 35000;
    int warm_up = 100;
    double weight_decay = 1e-4;
    double clip = 1.0;
    int64_t played_by_others = 300;

    std::string test_kind = "cosine";
    double test_frequency = 0.018;
    int test_segments = 5;
    double test_angle = 5.0;
    int bank_size = 64;
    int log_interval = 500;

    int shown_environment = 0;
    int shown_layer = 2;
    int shown_head = 1;

    int64_t seed = 0;
    int seeds = 1;
};

/// Visits the settings that choose the environment and the attention shown.
template <class Visitor, class Config>
void visit_look_fields(Config& c, Visitor&& visit) {
    const auto shown = [&visit](int& member, const char* name, const char* label, const char* help,
                                double minimum, double maximum) {
        visit(FieldInfo{.name = name,
                        .label = label,
                        .help = help,
                        .group = "look inside",
                        .applies = Applies::live,
                        .minimum = minimum,
                        .maximum = maximum},
              member);
    };
    shown(c.shown_environment, "shown_environment", "environment",
          "Which environment of the test is shown: expected rewards, what the network does, where it looks.",
          0, 1999);
    shown(c.shown_layer, "shown_layer", "attention of layer",
          "Counted from 1; the last one where there are fewer.", 1, 24);
    shown(c.shown_head, "shown_head", "of head", "Counted from 1; the last one where there are fewer.", 1,
          24);
}

/// Visits the settings of the network.
template <class Visitor>
void visit_network_fields(BanditTrainConfig& c, Visitor&& visit) {
    const auto size = [&visit](int& member, const char* name, const char* label, const char* help,
                               double minimum, double maximum) {
        visit(FieldInfo{.name = name,
                        .label = label,
                        .help = help,
                        .group = "model",
                        .minimum = minimum,
                        .maximum = maximum,
                        .logarithmic = maximum > 32},
              member);
    };
    size(c.layers, "layers", "layers L", "Each an attention and an MLP. The paper takes 16.", 1, 24);
    size(c.heads, "heads", "heads",
         "Of each attention; they share the width, which must be a multiple. The paper takes 16.", 1, 24);
    size(c.width, "width", "width", "Numbers that stand for a round, within the network.", 4, 512);
    size(c.hidden, "hidden", "MLP", "Hidden units of each MLP, with ReLU as in Section 2.2.", 4, 2048);
    visit(FieldInfo{.name = "attention",
                    .label = "attention",
                    .help = "Softmax as in GPT, or the theory's ReLU(q k) / i (Section 2.2).",
                    .group = "model",
                    .choices = {"softmax", "relu"}},
          c.attention);
}

/// Visits the settings of the family of training environments.
template <class Visitor>
void visit_family_fields(BanditTrainConfig& c, Visitor&& visit) {
    const auto share = [&visit](double& member, const char* name, const char* label) {
        visit(
            FieldInfo{.name = name,
                      .label = label,
                      .help = "How many of the training environments are of this kind, relative to the other "
                              "kinds' shares.",
                      .group = "environments",
                      .minimum = 0,
                      .maximum = 1},
            member);
    };
    share(c.share_cosine, "share_cosine", "share of cosine");
    share(c.share_elevated, "share_elevated", "share of elevated");
    share(c.share_abrupt, "share_abrupt", "share of abrupt");
    share(c.share_drift, "share_drift", "share of drift");
    visit(
        FieldInfo{.name = "frequencies",
                  .label = "training frequencies",
                  .help = "Continuous: b ~ U(0, b max), random phase. Four: exactly the paper's 0.005, 0.01, "
                          "0.015, 0.02, always the same phase, which the network memorises.",
                  .group = "environments",
                  .choices = {"continuous", "four"}},
        c.frequencies);
    const auto number = [&visit](auto& member, const char* name, const char* label, const char* help,
                                 double minimum, double maximum, bool advanced) {
        visit(FieldInfo{.name = name,
                        .label = label,
                        .help = help,
                        .group = "environments",
                        .minimum = minimum,
                        .maximum = maximum,
                        .advanced = advanced},
              member);
    };
    number(c.max_frequency, "max_frequency", "b max", "Continuous training frequencies go up to here.", 0,
           0.06, false);
    number(c.stationary, "stationary", "stationary", "Share of the cosine environments that have b = 0.", 0,
           1, true);
    number(c.max_segments, "max_segments", "J max", "Abrupt: J is uniform from 1 to this.", 1, 32, true);
    number(c.max_angle, "max_angle", "angle max", "Drift: w turns by up to this many radians.", 0, 50, true);
    number(c.d, "d", "features d", "Entries of an action vector. The weights fix it.", 1, 64, true);
    number(c.arms, "arms", "arms A", "The weights fix their number.", 2, 32, true);
    number(c.rounds, "rounds", "rounds T", "The weights fix the greatest.", 10, 1000, true);
    number(c.noise, "noise", "noise", "Standard deviation, before the environment's scaling.", 0, 5, true);
}

/// Visits the settings of the training.
template <class Visitor>
void visit_imitation_fields(BanditTrainConfig& c, Visitor&& visit) {
    const auto number = [&visit](auto& member, const char* name, const char* label, const char* help,
                                 double minimum, double maximum, bool logarithmic, bool advanced) {
        visit(FieldInfo{.name = name,
                        .label = label,
                        .help = help,
                        .group = "training",
                        .minimum = minimum,
                        .maximum = maximum,
                        .logarithmic = logarithmic,
                        .advanced = advanced},
              member);
    };
    number(c.learning_rate, "learning_rate", "learning rate",
           "Adam's greatest step size; it falls to 3 % along half a cosine.", 1e-5, 0.1, true, false);
    number(c.batch, "batch", "batch", "Fresh environments an update. Small batches learn faster.", 1, 128,
           true, false);
    number(c.num_steps, "num_steps", "stop after",
           "Updates. The learning rate's fall is stretched over them, so that the run starts again.", 10, 1e6,
           true, false);
    number(c.warm_up, "warm_up", "warm-up", "Updates over which the learning rate rises.", 1, 1e4, true,
           true);
    number(c.weight_decay, "weight_decay", "weight decay",
           "AdamW: an update takes the learning rate times this off every weight.", 0, 0.1, true, true);
    number(c.clip, "clip", "clip at", "Greatest norm of the gradient.", 0.01, 100, true, true);
    number(c.played_by_others, "played_by_others", "own play from",
           "From this update on the network plays half of its training contexts itself; before, and the "
           "other half, "
           "discounted Thompson sampling that is blind to the action vectors.",
           0, 1e6, false, true);
}

/// Visits the settings of the test and of the log.
template <class Visitor>
void visit_test_fields(BanditTrainConfig& c, Visitor&& visit) {
    visit(FieldInfo{.name = "test_kind",
                    .label = "test on",
                    .help = "The environments of the second regret plot. The temperature is chosen on fresh "
                            "environments of the training family, never on these.",
                    .group = "evaluation",
                    .choices = {"cosine", "elevated", "abrupt", "drift"}},
          c.test_kind);
    const auto number = [&visit](auto& member, const char* name, const char* label, const char* help,
                                 double minimum, double maximum) {
        visit(FieldInfo{.name = name,
                        .label = label,
                        .help = help,
                        .group = "evaluation",
                        .minimum = minimum,
                        .maximum = maximum,
                        .logarithmic = minimum >= 1,
                        .advanced = true},
              member);
    };
    number(c.test_frequency, "test_frequency", "test b", "The paper tests 0.018 and 0.025.", 0, 0.06);
    number(c.test_segments, "test_segments", "test J", "Segments, where the test is abrupt.", 1, 32);
    number(c.test_angle, "test_angle", "test angle", "Radians, where the test is drift.", 0, 50);
    number(c.bank_size, "bank_size", "environments", "In the validation stream, and in the test.", 4, 2000);
    visit(log_interval_field("updates"), c.log_interval);
}

template <class Visitor>
void visit_fields(BanditTrainConfig& c, Visitor&& visit) {
    visit_look_fields(c, visit);
    visit_network_fields(c, visit);
    visit_family_fields(c, visit);
    visit_imitation_fields(c, visit);
    visit_test_fields(c, visit);
    visit(first_seed_field("Each draws its own weights and environments."), c.seed);
    visit(num_seeds_field("How many independent trainings, each on one core at a time."), c.seeds);
}

}  // namespace emergence
