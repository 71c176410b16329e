#pragma once
// Figures and measurements of the bandit experiments (Chen, Ito and Imaizumi 2025).

#include <string>
#include <vector>

#include "core/lab/figures/claims.h"
#include "core/lab/runs/study_grid.h"
#include "core/lab/study.h"

namespace emergence {

/// Figure 2: MASTER's instances, with the theory's and with practical constants.
FigureInfo figure_of_instances();
/// Figures 3 to 7.
std::vector<FigureInfo> bandit_eval_figures();
/// Our own figure: regret against the amount of non-stationarity and against the rounds.
FigureInfo figure_of_sweeps();

/// What `verify` measures of the classical algorithms.
std::vector<NamedMeasure> bandit_eval_measures();

/// The paper's experts: a base algorithm and MASTER over it, with any constants.
enum class ExpertFamily { linucb, thompson };
/// Whether a player's label names an expert of the family, or the transformer.
bool is_expert(const std::string& label, ExpertFamily family);
bool is_transformer(const std::string& label);

// The next measures need a run of "bandit-eval". Without a transformer they are NaN, which fails every claim;
// the detail says why.

/// Mean paired difference of final regrets, `worse` minus `better`, in standard errors.
Measurement paired_regrets(const FinishedRun& run, const std::string& worse, const std::string& better);
/// The least paired difference of an expert's regret to the transformer's, over the experts of `families`.
Measurement transformer_ahead(const FinishedRun& run, const std::vector<ExpertFamily>& families);
/// Share of the points after the first fifth of the rounds at which the transformer's mean suboptimality is
/// below every expert's.
Measurement transformer_lowest(const FinishedRun& run);
/// The transformer's mean suboptimality in the second half of the rounds, divided by that in the first half.
Measurement transformer_settles(const FinishedRun& run);

/// For a run of "bandit-race": the number of rounds in which an instance acted that was not the live one of
/// the lowest order.
Measurement not_the_lowest(const FinishedRun& run);

}  // namespace emergence
