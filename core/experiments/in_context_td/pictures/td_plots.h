#pragma once
// Plots of experiment "td": value error against context length, training curves, and how batch TD is named beside them.

#include <string>
#include <vector>

#include "core/experiments/in_context_td/seed/td_weights.h"
#include "core/experiments/in_context_td/td.h"
#include "core/lab/snapshot.h"
#include "core/measures/network_evaluator.h"

namespace emergence {

/// "batch TD"; beside weights of a file with its step size, "batch TD, alpha = 0.5", or with the range over seeds.
std::string batch_td_name(const InContextTdConfig& config, const std::vector<LearnedWeights>& seeds);
/// The step size that it has: "its trained alpha", or how the one in the name came to be.
std::string batch_td_alpha(const InContextTdConfig& config);

/// MSVE against context length for the networks and batch TD, with the best linear predictor and
/// predict-zero.
PlotSpec value_error_plot(const InContextTdConfig& config, const NetworkEvaluator& evaluator,
                          const std::vector<LearnedWeights>& seeds);
/// The read-outs of that plot at the marked context length.
std::vector<Scalar> value_error_scalars(const InContextTdConfig& config, const HeldOutBank& bank, const PlotSpec& plot);

/// The training curves of these settings; `bank` gives the reference errors. Without one that of values is left out.
std::vector<MetricPlot> in_context_td_plots(const InContextTdConfig& config, const HeldOutBank* bank);

}  // namespace emergence
