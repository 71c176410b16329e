#pragma once
// The value error of a constructed transformer after each layer, and what it comes to: where more layers stop
// helping.

#include <optional>
#include <vector>

#include "core/measures/construction_trial.h"

namespace emergence {

/// Mean square value errors of one trial, sum_s d(s) (v_l(s) - v(s))^2 under the stationary distribution d,
/// every state of the chain a query. For average reward v is the differential value and an error counts up to
/// a constant.
struct LayerErrors {
    std::vector<double> transformer;  // after layer l = 0 .. layers
    std::vector<double> algorithm;    // after as many of its steps
    double fixed_point = 0.0;  // of the w at which the algorithm's steps come to rest; NaN: no unique one
    double best_linear = 0.0;  // the least of any w
    double zero = 0.0;         // of w = 0
    /// The largest absolute eigenvalue of I - C A (see BatchSystem), where all C_l are the same: below 1 the
    /// steps converge, and by this factor a layer in the end. NaN where they differ.
    double contraction = 0.0;
};

LayerErrors construction_errors(const ConstructionOptions& options, const ConstructionTrial& trial);

/// The transformer's value of every state (m) after layer l = 0 .. layers, from Gram matrices: with
/// G = Z M Z' a layer is Z <- T Z, T = I + (1/n) P G Q, and G <- T G T', whatever the mask M; two heads add
/// up.
std::vector<Eigen::VectorXd> construction_values(const ConstructionOptions& options,
                                                 const ConstructionTrial& trial);

/// The first layer from which on, as far as `errors` go, all are within `tolerance` times |errors[0] - limit|
/// of `limit`; nothing where the last is not.
std::optional<int> settled_layer(const std::vector<double>& errors, double limit, double tolerance);

}  // namespace emergence
