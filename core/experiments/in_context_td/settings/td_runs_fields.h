#pragma once
// Settings of the networks of experiment "td" that other experiments train.

#include "core/experiments/in_context_td/td.h"

namespace emergence {

/// Such an experiment's settings: a few of "td"; all others have their defaults.
struct TdRunsConfig : InContextTdConfig {
    TdRunsConfig() {
        bank_size = 200;
        log_interval = 50;
    }

    void fields(Fields& f);
};

}  // namespace emergence
