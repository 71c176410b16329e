#pragma once
// How far an algorithm of the map (algorithm_map.h) is from a network's values, summed over prompts, sixteen at a time.

#include <vector>

namespace emergence {

/// Prompts in groups of sixteen. Lanes without a prompt are all zero.
struct MapBank {
    const double* moments;  // groups x map_moments_size() x 16
    const double* weights;  // groups x d x d x 16: the form that weighs differences of weight vectors
    int groups;
    int d;
};

/// Sums over prompts, with off the difference of both weight vectors, W the prompt's form, J the derivatives of the
/// algorithm's by its parameters beta, c, alpha_0 ..:
///
///     loss = sum off' W off,   gradient = sum g,   curvature = sum J' W J,   scatter = sum g g',   g = J' W off
struct MapSums {
    double loss = 0;
    /// Entries, and row by row both halves of matrices; of size 0 unless asked for.
    std::vector<double> gradient, curvature, scatter;
};

/// wanted: groups x d x 16, the network's weight vectors. parameters: beta, c, alphas.
MapSums map_sums(const MapBank& bank, const double* wanted, const std::vector<double>& parameters,
                 bool derivatives);

}  // namespace emergence
