#pragma once
// Measures of the weights themselves: Appendix D.1.1, Wang et al. 2025, and our criterion for "emerged".

#include <string>

#include "core/base/types.h"

namespace emergence {

/// Entries of P and Q (D x D, D = 2d+1) times the sign of P[-1,-1], without scaling.
struct ElementWise {
    // The sign of P[-1,-1] as trained.
    double sign = 1;
    // P[-1,-1]
    double p_corner = 0;
    // Mean |P| outside the corner.
    double p_others = 0;
    // tr Q[:d,:d]
    double q_trace_upper_left = 0;
    // tr Q[:d,d:2d]
    double q_trace_upper_right = 0;
    // tr Q[d:2d,:d] and tr Q[d:2d,d:2d]: of use for residual gradient alone.
    double q_trace_lower_left = 0;
    double q_trace_lower_right = 0;
    // Mean |Q| outside both upper traces. The authors' code subtracts signed traces instead.
    double q_others = 0;
    // max |P|
    double p_largest = 0;
    // max |Q|
    double q_largest = 0;
};

/// The measures of one layer.
ElementWise element_wise(const Table& P, const Table& Q);

/// What a layer lacks of our criterion, "" if nothing: P[-1,-1] is the largest |P|, and with Q scaled to max |Q| = 1
///
///     tr Q[:d,:d] < -d/2,   and tr Q[:d,d:2d] > d/4 if num_layers > 1
///
/// By Corollary 1 a single layer needs no bootstrapping block.
std::string lacks_to_emerge(const ElementWise& elements, int d, int num_layers);

/// The same for residual gradient, Corollary 2: also, with Q scaled,
///
///     tr Q[d:2d,:d] > d/4,   and tr Q[d:2d,d:2d] < -d/4 if num_layers > 1
std::string lacks_to_emerge_residual(const ElementWise& elements, int d, int num_layers);

/// Nothing is lacking, see lacks_to_emerge().
bool has_emerged(const ElementWise& elements, int d, int num_layers);

}  // namespace emergence
