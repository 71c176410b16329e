#pragma once
// What only `verify` runs: measurements that claims of assets/figures name as functions and that need no trained run.

#include <complex>
#include <string>
#include <vector>

#include "core/experiments/figure_recipe.h"
#include "core/lab/study.h"
#include "core/measures/bandit_measures.h"
#include "core/measures/invariant_set.h"
#include "core/tasks/layouts.h"

namespace emergence {

/// The registry's experiments with all their measurements, which the library lacks.
const std::vector<ExperimentInfo>& measured_experiments();

// Experiment td: constructions, identities and fast paths; judges of known networks.
std::vector<NamedMeasure> in_context_td_measures();
std::vector<NamedMeasure> bench_measures();
/// Theorems 1 to 3 and Corollaries 1 to 3 of Wang et al. 2025, each with flawed constructions that the check must
/// detect.
std::vector<NamedMeasure> construction_measures();

/// Theorems 1 and 3 of the softmax paper, its special cases and the lemmas of Theorem 3; Theorem 2.
std::vector<NamedMeasure> softmax_construction_measures();
std::vector<NamedMeasure> softmax_convergence_measures();

/// Classical players; assumptions and bounds of Chen et al. 2025.
std::vector<NamedMeasure> bandit_eval_measures();
/// The transformer's fast paths and the networks that ship; and the network built to run MASTER, a part of them.
std::vector<NamedMeasure> bandit_train_measures();
std::vector<NamedMeasure> master_measures();

std::vector<NamedMeasure> regression_measures();

std::vector<NamedMeasure> improvement_measures(Improvement algorithm);
/// Theorem 3.2 of Liang and Lai, Assumption 1 and the theorem's bounds.
std::vector<NamedMeasure> policy_flow_measures();

/// A share with Wilson's interval, and a fitted exponent with a bootstrap's over n rows.
Measurement measurement_of(const Fraction& share, const std::string& detail);
Measurement measurement_of(const FittedExponent& fitted, const std::string& detail, size_t n);

/// The largest of number(0), .., number(count - 1), and the least, as a control that each must show; NaN if one is NaN.
template <class Number>
double largest_over(uint32_t count, const Number& number) {
    std::vector<double> found;
    for (uint32_t i = 0; i < count; ++i) found.push_back(number(i));
    return largest_of(found);
}
template <class Number>
double least_over(uint32_t count, const Number& number) {
    return -largest_over(count, [&](uint32_t i) { return -number(i); });
}

/// Does the set of Theorem 2, Wang et al. 2025, attract? The theorem says that the expected update does not leave it.
/// Beside it the update is linear: the eigenvalues of its derivative at `at`, a member of Theta*, among the directions
/// that are normal to Theta* and that updates can move, by ascending real part. Distances fall under small steps if all
/// real parts are negative. moments: averaged over feature maps (FeatureAverage), since else the update leaves Theta*.
std::vector<std::complex<double>> spectrum_off_invariant_set(const UpdateMoments& moments, const WeightUpdate& at);

/// Where the expected update rests on Theta*, from samples, in the coordinates a = eta c and b = eta c', which do not
/// change if P is scaled up and Q down; of least norm if M is singular:
///
///     f_1 = x' (1/n) sum_j R_j phi_j,   f_2 = x' (1/n) sum_j R_j gamma phi'_j
///     TF(Z) = -(a f_1 + b f_2)
///     r + M (a, b) = 0,   r_k = E[R f_k],   M_kl = E[f_k (f_l - gamma f'_l)]
///
/// All feature maps give the same f, so no average over maps is needed.
Vec rest_on_invariant_set(const InvariantSetOptions& options, uint64_t seed);

/// The page of the handbook about judges, with tables of what is measured now (two minutes).
std::string bench_page();

}  // namespace emergence
