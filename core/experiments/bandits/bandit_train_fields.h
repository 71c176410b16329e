#pragma once
// The settings of experiment "bandit-train".

#include "core/experiments/bandits/bandit_fields.h"
#include "core/training/bandit_imitation.h"

namespace emergence {

/// Every setting of experiment "bandit-train".
struct BanditTrainConfig : BanditImitationOptions, BanditLookFields {
    /// The environments of the test.
    BanditOptions test;
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
