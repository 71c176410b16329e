#pragma once
// Experiment "td": a linear transformer, trained to predict values of random tasks by multi-task TD,
// discovers in-context TD (Wang et al. 2025, Section 5, Figure 2).

#include <string>

#include "core/experiments/in_context_td/settings/inside_fields.h"
#include "core/lab/study.h"
#include "core/settings/field_builder.h"
#include "core/training/multi_task_td.h"

namespace emergence {

/// Every setting, with the defaults of Appendix D.1.
struct InContextTdConfig : MultiTaskTdOptions {
    /// The kind of network: attention or rnn.
    std::string model = "attention";
    std::string activation = "identity";
    std::string normalisation = "rows";
    int rnn_width = 4;
    TdInsideConfig inside;
    int64_t num_mrps = 4000;
    int64_t seed = 0;
    int seeds = 8;
    int eval_context_length = 30;
    int eval_extra_layers = 0;
    int bank_size = 2000;
    int log_interval = 10;
    bool line_up = false;
    std::string surgery = "";
    std::string construction = "";
    std::string weights = "";
    std::string replay = "";
    std::string worlds = "";
    std::string more_losses = "";

    void fields(Fields& f);
    void model_fields(Fields& f);
    void task_fields(Fields& f);
    void task_kind_fields(Fields& f);
    void task_shape_fields(Fields& f);
    void loss_fields(Fields& f);
    void training_fields(Fields& f);
    void evaluation_fields(Fields& f);
    /// "optimizer": Adam or Algorithm 1's own step.
    Field optimizer_field(Fields& f);
};

/// Throws InputError if settings contradict each other, or name files that cannot be used: settings/td_checks.cpp.
void check_td(const InContextTdConfig& config);

/// The experiment's entry in the registry.
ExperimentInfo in_context_td();

}  // namespace emergence
