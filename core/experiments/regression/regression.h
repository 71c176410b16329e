#pragma once
// Experiment "regression": a linear transformer, trained to solve random linear regressions in context,
// discovers preconditioned gradient descent (Ahn et al. 2023).

#include <string>

#include "core/lab/study.h"
#include "core/settings/field_builder.h"

namespace emergence {

/// Every setting, with the defaults of Section 5.3 (Theorem 4, Figures 1 and 2).
struct RegressionConfig {
    int num_layers = 3;
    std::string restriction = "9";
    int n = 20;
    int d = 5;
    std::string spectrum = "paper";
    double condition = 16;
    std::string prior = "sigma_inverse";
    std::string optimizer = "lbfgs";
    std::string metric = "plain";
    int num_prompts = 20000;
    int lbfgs_memory = 40;
    int minibatch_size = 512;
    double learning_rate = 1e-2;
    double initial_scale = 0.1;
    int64_t num_iterations = 160;
    int64_t seed = 0;
    int seeds = 5;
    int prompt = 0;
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
