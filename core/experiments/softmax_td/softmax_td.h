#pragma once
// Experiment "softmax-td": a transformer with softmax attention, trained to predict values of random Boyan
// chains by multi-task TD, discovers weighted softmax TD (the softmax paper, Section 8 and Appendix F).

#include <string>

#include "core/lab/study.h"
#include "core/settings/fields.h"
#include "core/training/softmax_td_training.h"

namespace emergence {

/// The experiment's entry in the registry.
ExperimentInfo softmax_td();

// Every setting of experiment "softmax-td". The text of the paper that we used has lost the numbers of Table
// 1: the defaults are ours.

struct SoftmaxTdConfig : SoftmaxTdTrainingOptions {
    SoftmaxTdConfig() { flip_at = 500; }
    bool flip = false;
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
