#pragma once
// What only `verify` runs: measurements that claims of assets/figures name as functions and that need no trained run.

#include <string>
#include <vector>

#include "core/lab/study.h"
#include "core/tasks/layouts.h"

namespace emergence {

/// The registry's experiments with all their measurements, which the library lacks.
const std::vector<ExperimentInfo>& measured_experiments();

// Experiment td: constructions, identities and fast paths; judges of known networks.
std::vector<NamedMeasure> in_context_td_measures();
std::vector<NamedMeasure> bench_measures();
/// Theorems 1 to 3 and Corollaries 1 to 3 of Wang et al. 2025, each with flawed constructions that the check must detect.
std::vector<NamedMeasure> construction_measures();

/// Theorems 1 and 3 of the softmax paper; its special cases and the lemmas of Theorem 3, a part of them; Theorem 2.
std::vector<NamedMeasure> softmax_construction_measures();
std::vector<NamedMeasure> softmax_special_measures();
std::vector<NamedMeasure> softmax_convergence_measures();

/// Classical players; and assumptions and bounds of Chen et al. 2025, a part of them.
std::vector<NamedMeasure> bandit_eval_measures();
std::vector<NamedMeasure> bandit_theory_measures();
/// The transformer's fast paths and the networks that ship; and the network built to run MASTER, a part of them.
std::vector<NamedMeasure> bandit_train_measures();
std::vector<NamedMeasure> master_measures();

std::vector<NamedMeasure> regression_measures();

std::vector<NamedMeasure> improvement_measures(Improvement algorithm);
/// Theorem 3.2 of Liang and Lai; and Assumption 1 and the theorem's bounds, a part of them.
std::vector<NamedMeasure> policy_flow_measures();
std::vector<NamedMeasure> policy_bound_measures();

/// The page of the handbook about judges, with tables of what is measured now (two minutes).
std::string bench_page();

}  // namespace emergence
