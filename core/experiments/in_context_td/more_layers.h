#pragma once
// A trained network with more layers than it was trained with, on contexts of other lengths, while it trains.

#include <memory>
#include <vector>

#include "core/experiments/in_context_td/td_study.h"

namespace emergence {

/// Value errors are drawn up to this many times that of predicting zero.
inline constexpr double kErrorCut = 1.25;

/// Stands for an error that has left the range of numbers: larger than any other, and not one seed less.
constexpr double kBeyondNumbers = 1e30;
/// `error`, or kBeyondNumbers where it is no number.
double bounded_error(double error);

/// On a bank of its own, small enough to keep up with training; null where no extra layers are asked for or
/// there are no true values.
std::shared_ptr<const NetworkEvaluator> make_depth_evaluator(const InContextTdConfig& config);

/// Adds MSVE against the number of layers at the marked context length, and the map layers x context length:
/// MSVE over predict-zero's, less 1, at most 1. `bank` is make_depth_evaluator's.
void add_depth_views(const InContextTdConfig& config, const NetworkEvaluator& evaluator,
                     const std::vector<LearnedWeights>& seeds, Snapshot& snapshot);

}  // namespace emergence
