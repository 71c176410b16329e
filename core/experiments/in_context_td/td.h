#pragma once
// Experiment "td": a linear transformer, trained to predict values of random tasks by multi-task TD,
// discovers in-context TD (Wang et al. 2025, Section 5, Figure 2).

#include <string>

#include "core/experiments/in_context_td/inside_fields.h"
#include "core/experiments/in_context_td/model_fields.h"
#include "core/experiments/in_context_td/task_fields.h"
#include "core/lab/study.h"
#include "core/settings/field_builder.h"

namespace emergence {

/// Every setting, with the defaults of Appendix D.1.
struct InContextTdConfig {
    TdModelConfig model;
    TdTaskConfig task;
    TdLossConfig loss;
    TdInsideConfig inside;
    int num_layers = 3;
    int n = 30;
    int d = 4;
    int num_states = 10;
    double gamma = 0.9;
    bool representable = false;
    std::string true_weights = "normal";
    double learning_rate = 1e-3;
    double weight_decay = 1e-6;
    double initial_gain = 0.1;
    int minibatch_size = 64;
    int minibatches_per_mrp = 5;
    int64_t num_mrps = 4000;
    int64_t seed = 0;
    int seeds = 8;
    int eval_context_length = 30;
    int eval_extra_layers = 0;
    int bank_size = 2000;
    int log_interval = 10;
    bool line_up = false;
    std::string surgery = "";
    std::string weights = "";
    std::string replay = "";

    void fields(Fields& f);
    void task_fields(Fields& f);
    void training_fields(Fields& f);
    void evaluation_fields(Fields& f);
};

/// The experiment's entry in the registry.
ExperimentInfo in_context_td();

}  // namespace emergence
