#pragma once
// Experiment "td": a linear transformer, trained to predict values of random tasks by multi-task TD, discovers
// in-context TD (Wang et al. 2025, Section 5, Figure 2).

#include "core/experiments/in_context_td/settings/td_settings.h"
#include "core/lab/study.h"

namespace emergence {

/// Throws InputError if settings contradict each other, or name files that cannot be used.
void check_td(const InContextTdConfig& config);

/// The entries of this paper's experiments in the registry.
ExperimentInfo in_context_td();
ExperimentInfo policy_evaluation();
ExperimentInfo construction();
ExperimentInfo invariant_set();

/// Its figures: of Wang et al. 2025, and our own about the same networks.
std::vector<FigureInfo> in_context_td_figures();

}  // namespace emergence
