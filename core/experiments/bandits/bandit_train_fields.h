#pragma once
// The settings of experiment "bandit-train".

#include <string>

#include "core/experiments/bandits/bandit_fields.h"

namespace emergence {

/// Every setting of experiment "bandit-train".
struct BanditTrainConfig : BanditLookFields {
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

    int64_t seed = 0;
    int seeds = 1;

    void fields(Fields& f);
    void network_fields(Fields& f);
    void family_fields(Fields& f);
    void imitation_fields(Fields& f);
    void test_fields(Fields& f);
};

}  // namespace emergence
