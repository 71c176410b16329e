#pragma once
// Settings of the networks of experiment "td" that other experiments train.

#include "core/experiments/in_context_td/td.h"

namespace emergence {

/// The settings that such experiments share.
struct TdRunsConfig {
    int d = 4;
    int n = 30;
    int num_states = 10;
    double gamma = 0.9;
    std::string optimizer = "adam";
    double learning_rate = 1e-3;
    int bank_size = 200;
    int64_t num_mrps = 4000;
    int64_t seed = 0;
    int seeds = 8;
    int log_interval = 50;

    void fields(Fields& f);
};

/// These settings as a config of experiment "td"; all others have their defaults.
InContextTdConfig td_config(const TdRunsConfig& c, int num_layers, double initial_gain);

}  // namespace emergence
