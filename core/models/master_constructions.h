#pragma once
// Parts of the transformer that Chen et al. 2025 construct for MASTER: random numbers and the choice of the acting instance
// (Proposition 3, Appendix E.3), and the restart (Proposition 4). ReLU attention and ReLU layers, as formulas.

#include <algorithm>
#include <cmath>
#include <vector>

namespace emergence {

/// 1[x > 0] by two ReLUs, which rises from 0 to 1 over (0, 1/k] (E.3.1):
///
///     relu(k x) - relu(k x - 1)
inline double step_by_relus(double x, double k) { return std::max(k * x, 0.0) - std::max(k * x - 1.0, 0.0); }

/// Uniform random numbers from numbers of the data: their ranks, by two heads of ReLU attention (E.3.1):
///
///     rand_i = (1/N) sum_j relu(k (x_i - x_j)) - relu(k (x_i - x_j) - 1)
inline std::vector<double> uniforms_by_attention(const std::vector<double>& x, double k) {
    std::vector<double> uniforms;
    for (const double own : x) {
        double sum = 0.0;
        for (const double other : x) sum += step_by_relus(own - other, k);
        uniforms.push_back(sum / static_cast<double>(x.size()));
    }
    return uniforms;
}

/// What 2 (n + 1) masked heads pass on of each order's instance in one round (E.3.3): all of the live one of the lowest
/// order, nothing of the others.
///
///     1[epsilon - c sum_{p < m} f_p > 0] f_m,   epsilon = 1/2
///
/// live: f_m, 1 if an instance of order m is live, else 0. c: more than epsilon.
inline std::vector<double> acting_by_heads(const std::vector<double>& live, double c) {
    constexpr double kEpsilon = 0.5, kSteep = 1e6;
    std::vector<double> passed;
    double below = 0.0;
    for (const double f : live) {
        passed.push_back(step_by_relus(kEpsilon - c * below, kSteep) * f);
        below += f;
    }
    return passed;
}

/// The restart (Proposition 4): an entry a of the memory if the signal C is 0, and 0 if it is 1, by a hidden layer of two
/// ReLUs:
///
///     relu(a - B C) - relu(-a - B C)
///
/// bound: B >= |a|.
inline double restarted_by_relus(double entry, double signal, double bound) {
    return std::max(entry - bound * signal, 0.0) - std::max(-entry - bound * signal, 0.0);
}

}  // namespace emergence
