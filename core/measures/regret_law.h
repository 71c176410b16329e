#pragma once
// The growth of regret: the rates of theory, and exponents fitted to measurements.

#include <vector>

#include "core/tasks/bandit.h"

namespace emergence {

/// The rate of Corollary 2, Chen et al. 2025, without its constant, after t rounds:
///
///     min(sqrt(J t), Delta^(1/3) t^(2/3) + sqrt(t)),   J, Delta: Definition 1 over these rounds
///
/// at: values of t, ascending, from 0.
std::vector<double> optimal_rate(const BanditTrajectory& world, const std::vector<int>& at);

/// argmin_c |c x - y|^2; 0 if x is 0.
double fitted_constant(const std::vector<double>& x, const std::vector<double>& y);

/// The slope of log(mean of y) against log x, with a 95 % interval from 400 bootstrap samples of the rows
/// (environments). NaN with fewer than two points that have x > 0 and a mean above 0.
struct FittedExponent {
    double value = 0.0, low = 0.0, high = 0.0;
};
/// Fits the exponent. rows: y, one row per environment, each as long as x.
FittedExponent fitted_exponent(const std::vector<double>& x, const std::vector<std::vector<double>>& rows);

}  // namespace emergence
