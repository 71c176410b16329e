#pragma once
// What is read off the weights themselves: Appendix D.1.1 of Wang et al. 2025, and this laboratory's
// "emerged".

#include "core/base/types.h"

namespace emergence {

/// Entries of P and Q (D x D, D = 2d+1) after aligning their common sign; raw, not scaled.
struct ElementWise {
    double sign = 1;                 // of P[-1,-1] as trained: P and Q times sign is what the rest describes
    double p_corner = 0;             // P[-1,-1]
    double p_others = 0;             // mean |P| of all entries but the corner
    double q_trace_upper_left = 0;   // tr Q[:d,:d]
    double q_trace_upper_right = 0;  // tr Q[:d,d:2d]
    double q_others =
        0;  // mean |Q| of the entries in neither trace (the authors' code subtracts signed traces)
    double p_largest = 0;  // largest |P|
    double q_largest = 0;  // largest |Q|
};

ElementWise element_wise(const Table& P, const Table& Q);

/// Ours: P[-1,-1] is P's largest entry and, Q divided by its largest, tr UL < -d/2 and, for more than one
/// layer, tr UR > d/4 (Corollary 1: one layer needs no bootstrapping block).
bool has_emerged(const ElementWise& elements, int d, int num_layers);

}  // namespace emergence
