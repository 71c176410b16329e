#pragma once
// Experiment "td": a linear transformer, trained to predict values of random tasks by multi-task TD,
// discovers in-context TD (Wang et al. 2025, Section 5, Figure 2).

#include <string>

#include "core/lab/study.h"
#include "core/settings/fields.h"
#include "core/training/multi_task_td.h"

namespace emergence {

/// Settings for one prompt: the drawing of its world, and the microscope, which shows the prompt layer by layer. All are
/// live; none affects training.
struct TdInsideConfig {
    std::string look_inside = "nothing";
    int watched_task = 0;
    std::string world_file;
    std::string world_edits;
    int world_state = 1;
    int shown_seed = 0;
    int layer = 0;
    std::string microscope_of = "learned";

    void fields(Fields& f);

    bool world() const { return look_inside == "world" || look_inside == "both"; }
    bool microscope() const { return look_inside == "microscope" || look_inside == "both"; }
};

/// Every setting, with the defaults of Appendix D.1.
struct InContextTdConfig : MultiTaskTdOptions {
    /// The kind of network: attention, rnn or two_heads.
    std::string model = "attention";
    std::string activation = "identity";
    std::string normalisation = "rows";
    int rnn_width = 4;
    std::string rnn_activation = "tanh";
    std::string mask = "td";
    double mask_lambda = 0.9;
    bool learn_mask_lambda = false;
    bool learn_W = false;
    bool share_Q = false;
    TdInsideConfig inside;
    int64_t num_mrps = 4000;
    int64_t seed = 0;
    int seeds = 8;
    int eval_context_length = 30;
    int eval_extra_layers = 0;
    int bank_size = 2000;
    int log_interval = 10;
    std::string surgery = "";
    std::string weights = "";
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

/// Settings of the networks of "td" that other experiments train: a few of it; all others have their defaults.
struct TdRunsConfig : InContextTdConfig {
    TdRunsConfig() {
        bank_size = 200;
        log_interval = 50;
    }

    void fields(Fields& f);
};

/// Throws InputError if settings contradict each other, or name files that cannot be used: settings/td_checks.cpp.
void check_td(const InContextTdConfig& config);

/// The experiment's entry in the registry.
ExperimentInfo in_context_td();

}  // namespace emergence
