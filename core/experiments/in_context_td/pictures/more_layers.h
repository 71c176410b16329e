#pragma once
// Shows a network with more layers than it is trained with, and on other context lengths, while it trains.

#include <memory>
#include <vector>

#include "core/experiments/in_context_td/seed/td_weights.h"
#include "core/experiments/in_context_td/td.h"
#include "core/measures/network_evaluator.h"

namespace emergence {

/// Plots of value errors end at this multiple of the error of predicting zero.
inline constexpr double kErrorCut = 1.25;

/// Stands for an error that is not finite: it counts as the largest, so that no seed drops out.
constexpr double kBeyondNumbers = 1e30;
/// `error`, or kBeyondNumbers if it is larger or not finite.
double bounded_error(double error);
/// The same of each.
std::vector<double> bounded_errors(std::vector<double> errors);

/// Makes an evaluator with a bank that is small enough to keep up with training; null without extra layers or
/// without true values.
std::shared_ptr<const NetworkEvaluator> make_depth_evaluator(const InContextTdConfig& config);

/// Adds MSVE against the number of layers at the marked context length, and the map layers x context length
/// of
///     min(MSVE / MSVE of predicting zero - 1, 1).
/// `evaluator` is make_depth_evaluator()'s.
void add_depth_views(const InContextTdConfig& config, const NetworkEvaluator& evaluator,
                     const std::vector<LearnedWeights>& seeds, Snapshot& snapshot);

}  // namespace emergence
