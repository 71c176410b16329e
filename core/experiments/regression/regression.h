#pragma once
// Experiment "regression": a linear transformer, trained to solve random linear regressions in context,
// discovers preconditioned gradient descent (Ahn et al. 2023).

#include "core/lab/study.h"
#include "core/settings/fields.h"
#include "core/training/in_context_training.h"

namespace emergence {

/// Every setting, with the defaults of Section 5.3 (Theorem 4, Figures 1 and 2).
struct RegressionConfig : InContextTrainingOptions {
    RegressionConfig() { lbfgs.memory = 40; }
    Spectrum spectrum = Spectrum::paper;
    double condition = 16;
    int64_t num_iterations = 160;
    int64_t seed = 0;
    int seeds = 5;
    double ridge_lambda = 0.1;
    int bank_size = 4000;
    int log_interval = 1;

    void fields(Fields& f);
    void model_fields(Fields& f);
    void task_fields(Fields& f);
    void training_fields(Fields& f);
    void evaluation_fields(Fields& f);
};

/// The experiment's entry in the registry.
ExperimentInfo regression();

}  // namespace emergence
