#pragma once
// Experiment "evaluation": the constructed transformer evaluates policies in context, with fixed weights, on
// new tasks (Figure 1 of Wang et al. 2025). Nothing is trained. One step is one task.

#include <vector>

#include "core/lab/study.h"
#include "core/lab/views/measured.h"
#include "core/settings/fields.h"
#include "core/tasks/task.h"

namespace emergence {

/// Every setting, with the defaults of Figure 1 in the authors' code.
struct PolicyEvaluationConfig {
    TaskOptions tasks{.num_states = 15, .d = 5, .representable = true, .kind = TaskKind::loop, .min_states = 5};
    int num_layers = 15;
    double alpha = 0.2;
    int max_context_length = 40;
    int64_t num_tasks = 1000;
    int64_t seed = 0;
    int seeds = 20;
    int log_interval = 50;

    void fields(Fields& f);
};

/// Value errors of single tasks.
struct EvaluationErrors {
    std::vector<int> lengths;
    std::vector<std::vector<std::vector<double>>> transformer, batch_td;  // [seed][length][task]
    std::vector<std::vector<double>> zero;                                // [seed][task], of predicting 0
};

/// What a stream measures: mean errors over its tasks so far, at the shortest and the longest context.
struct EvaluationMeasured {
    double shortest = 0, longest = 0, batch_td = 0, zero = 0;
};
Metrics<EvaluationMeasured> policy_evaluation_metrics();

/// The running means of these errors against tasks.
std::vector<MetricPlot> policy_evaluation_plots();
/// P and Q of the constructed layer, the same in every seed.
std::vector<NamedMatrix> policy_evaluation_matrices(const PolicyEvaluationConfig& config, int seeds);

/// MSVE against context length: mean over each seed's tasks.
PlotSpec evaluation_plot(const EvaluationErrors& errors);
/// Mean, standard error and median over all tasks of all seeds by context length, for the transformer and for
/// batch TD: arrays "context_length", "transformer_mean", ..., "tasks".
ArrayMap evaluation_statistics(const EvaluationErrors& errors);

/// MSVE at the shortest and the longest context, and of predicting zero.
std::vector<Scalar> evaluation_scalars(const EvaluationErrors& errors);

/// Figure 1 of Wang et al. 2025 beside the authors' curve.
FigureInfo wang_1();

/// The experiment's entry in the registry.
ExperimentInfo policy_evaluation();

}  // namespace emergence
