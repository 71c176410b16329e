#pragma once
// Figures of the softmax experiments and their parts.

#include <string>
#include <vector>

#include "core/experiments/figure_recipe.h"
#include "core/lab/study.h"

namespace emergence {

/// The tables of figures.
std::vector<FigureInfo> softmax_td_figures();
std::vector<FigureInfo> softmax_construction_figures();

/// Figure 5: V, A and kappa while training.
FigureInfo figure_of_scores();
/// Figure 6: masks and mixing.
FigureInfo figure_of_masks();
/// Ours: P or Q is held while the other learns.
FigureInfo figure_of_clamps();

// Parts of the figures of trained softmax transformers.

/// The row of a seed's best checkpoint, the logged point with the largest product of V and A.
size_t best_row(const FinishedRun& run, size_t seed);

/// The places of the live seeds whose Q ends positive. In the basin with both signs wrong A is high at a
/// small kappa, which means nothing, because A cannot see Q's sign.
std::vector<size_t> upright_seeds(const FinishedRun& run);

/// Each upright seed's mean of a metric in 20 equal bins of kappa, from the least to the largest kappa of
/// these seeds.
Series binned_by_kappa(const FinishedRun& run, const char* metric, const char* name, int color);
/// V and A in those bins: median over seeds and quartiles, as Figure 3b.
PlotSpec binned_plot(const FinishedRun& run, const std::string& id, const std::string& title);

/// Adds P and Q as trained, of the run with this number: the mean over upright seeds, because a mean over both
/// basins is no run's weights.
void add_matrices(Draft& draft, const FinishedRun& run, size_t number);

/// Theorem 2 in one figure: error against layers, and floor against context length.
FigureInfo figure_of_convergence();

}  // namespace emergence
