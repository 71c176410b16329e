#pragma once
// How far an algorithm of the family (families.h) is from a network's values, summed over prompts, sixteen at a time.

#include <cstddef>
#include <vector>

#include "core/measures/family_run.h"

namespace emergence {

/// What the second coordinate of a place says. gradient: c, how much of the target's gradient is taken. trace: lambda of
/// the trace of phi along which each transition steps. mean_reward: how much of the mean of the rewards so far is
/// subtracted from each.
enum class PlaceAxis { gradient, trace, mean_reward };

/// Prompts in groups of sixteen. Lanes without a prompt are all zero.
struct FamilyBank {
    const double* moments;  // groups x num_moments() x 16
    const double* weights;  // groups x d x d x 16: the form that weighs differences of weight vectors
    int groups;
    int d;
    PlaceAxis axis = PlaceAxis::gradient;
    // Of the axis of traces: groups x (n+1) x (d+1) x 16.
    const double* states = nullptr;
    int context_length = 0;
    double gamma = 1;
};

/// What the algorithms are compared with.
struct FamilyTarget {
    const double* wanted;      // groups x d x 16: the network's weight vectors
    const double* importance;  // groups x 16: what a prompt weighs in sums
};

/// The parameters behind beta and c: a step size per layer, or a matrix per layer, row by row.
enum class Steps { scalar, matrices };

/// Sums over prompts, with u a prompt's importance, off the difference of both weight vectors, W the prompt's form, J the
/// derivatives of the algorithm's by its parameters:
///
///     loss = sum u off' W off,   gradient = sum g,   curvature = sum u J' W J,   scatter = sum g g',   g = u J' W off
struct FamilySums {
    double loss = 0;
    /// Entries, and row by row both halves of matrices; of size 0 unless asked for, scatter of scalar steps only.
    std::vector<double> gradient, curvature, scatter;
};
FamilySums family_sums(const FamilyBank& bank, const FamilyTarget& target, const std::vector<double>& parameters,
                       Steps steps, bool derivatives);
/// off' W off of each prompt: groups x 16.
std::vector<double> family_errors(const FamilyBank& bank, const double* wanted, const std::vector<double>& parameters,
                                  Steps steps);
/// Of v_k = M^k b at (beta, c), k below `layers`: sum u v_a' W v_b for a <= b row by row, then sum u v_a' W wanted.
std::vector<double> power_sums(const FamilyBank& bank, const FamilyTarget& target, double beta, double c, int layers);

}  // namespace emergence
