#pragma once
// Figures of experiment "td" (Wang et al. 2025), and our own about the same networks.

#include <vector>

#include "core/lab/study.h"

namespace emergence {

// What attention learned: learned_weights_figures.cpp.
FigureInfo wang_2();
FigureInfo wang_7();
FigureInfo wang_10();

// How close it is to batch TD: similarity_figures.cpp.
FigureInfo wang_8();

// The recurrent network: recurrent_figures.cpp.
FigureInfo wang_12();

// Ours.
FigureInfo figure_of_pools();

/// All of them, in the order of a list.
std::vector<FigureInfo> in_context_td_figures();

/// The run's value-error plot under other live or task settings, with the trained weights. Throws InputError if the
/// tasks have no exact values.
PlotSpec value_errors(const ExperimentInfo& info, const FinishedRun& run, const Settings& settings);

}  // namespace emergence
