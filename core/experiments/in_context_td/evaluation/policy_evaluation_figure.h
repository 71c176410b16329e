#pragma once
// Pictures, statistics and claims of experiment "evaluation".

#include <vector>

#include "core/experiments/in_context_td/evaluation/policy_evaluation.h"
#include "core/lab/views/measured.h"

namespace emergence {

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

}  // namespace emergence
