#pragma once
// The value error of a constructed transformer after each layer, its limit, and the layer from which it has settled.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/measures/construction_trial.h"

namespace emergence {

// Constructed transformers against their algorithms, layer by layer in double, as in Figure 13, Wang et al. 2025.

/// After layer l = 0 .. layers:
///
///     transformer   -y_l
///     algorithm     <phi, w_l>
///     absolute      |y_l + <phi, w_l>|
///     relative      absolute / (|phi| |w_l|), or 0 if absolute is 0; meaningful also for growing iterates
struct LayerDifferences {
    std::vector<double> transformer;
    std::vector<double> algorithm;
    std::vector<double> absolute;
    std::vector<double> relative;
};

/// The largest relative difference over layers and trials 0 .. trials-1.
double largest_difference(const ConstructionOptions& options, uint64_t seed, int trials);
/// The minimum over trials of the largest relative difference over layers: a flaw must show in every trial.
double least_difference(const ConstructionOptions& options, uint64_t seed, int trials);

/// The differences in one trial.
LayerDifferences construction_difference(const ConstructionOptions& options, const ConstructionTrial& trial);
/// The differences in trial `number` of a seed.
LayerDifferences construction_difference(const ConstructionOptions& options, uint64_t seed, uint32_t number);

/// Mean square value errors of one trial, with every state of the chain as query:
///
///     sum_s d(s) (v_l(s) - v(s))^2,   d: stationary distribution
///
/// For average reward v is the differential value, and errors count up to a constant.
struct LayerErrors {
    // After layer l = 0 .. layers.
    std::vector<double> transformer;
    // After l = 0 .. layers steps.
    std::vector<double> algorithm;
    // Of the algorithm's fixed point; NaN if it is not unique.
    double fixed_point = 0.0;
    // The minimum over all w.
    double best_linear = 0.0;
    // Of w = 0.
    double zero = 0.0;
    // The largest absolute eigenvalue of I - C A (see BatchSystem), the asymptotic factor per layer: below 1 the steps
    // converge. NaN if the C_l differ.
    double contraction = 0.0;
};

/// The errors of one trial.
LayerErrors construction_errors(const ConstructionOptions& options, const ConstructionTrial& trial);

/// The transformer's values of all states (m) after layer l = 0 .. layers, from Gram matrices G = Z M Z', for any mask:
///
///     T = I + (1/n) P G Q,   Z <- T Z,   G <- T G T'
///
/// Two heads add their terms in T.
std::vector<Eigen::VectorXd> construction_values(const ConstructionOptions& options, const ConstructionTrial& trial);

/// The first layer from which all errors are within `tolerance` |errors[0] - limit| of `limit`; none if the last error
/// is not.
std::optional<int> settled_layer(const std::vector<double>& errors, double limit, double tolerance);

}  // namespace emergence
