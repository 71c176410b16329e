#pragma once
// Every setting of experiment "softmax-td". The text of the paper that we used has lost the numbers of Table
// 1: the defaults are ours.

#include <string>

#include "core/settings/field_builder.h"

namespace emergence {

struct SoftmaxTdConfig {
    int num_layers = 3;
    double temperature = 1.0;
    std::string masks = "full";
    double mixing = 0.0;
    double mixing_end = 0.0;
    int64_t mixing_updates = 0;
    int n = 30;
    int d = 4;
    int num_states = 10;
    double gamma = 0.9;
    std::string true_weights = "normal";
    double learning_rate = 1e-3;
    double rate_end = 1.0;
    int64_t rate_updates = 20000;
    double weight_decay = 1e-6;
    double initial_gain = 0.1;
    int minibatch_size = 64;
    int minibatches_per_mrp = 5;
    bool flip = false;
    int64_t flip_at = 500;
    std::string clamp = "nothing";
    double clamp_sharpness = 4.0;
    double clamp_step = 1.0;
    int64_t num_updates = 20000;
    int64_t seed = 0;
    int seeds = 10;
    std::string show = "final";
    int prompt = 0;
    int layer = 1;
    int bank_size = 64;
    int log_interval = 100;

    void fields(Fields& f);
    void model_fields(Fields& f);
    void task_fields(Fields& f);
    void optimiser_fields(Fields& f);
    void intervention_fields(Fields& f);
    void run_fields(Fields& f);
};

}  // namespace emergence
