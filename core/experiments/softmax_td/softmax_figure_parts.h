#pragma once
// What the figures of trained softmax transformers are put together from.

#include <string>
#include <vector>

#include "core/experiments/figure_runs.h"

namespace emergence {

/// Which seeds have not diverged.
std::vector<size_t> live_seeds(const FinishedRun& run);
/// A seed's best checkpoint, the logged point with the largest product of V and A, and a metric there.
size_t best_row(const FinishedRun& run, size_t seed);
double at_best(const FinishedRun& run, const char* metric, size_t seed);

/// Of those the ones whose Q ends positive. In the basin with both signs wrong A is high at a small kappa
/// and says nothing of it, since A cannot see Q's sign.
std::vector<size_t> upright_seeds(const FinishedRun& run);

/// Each upright seed's mean of a metric in 20 equal bins of kappa between the least and the largest of them.
Series binned_by_kappa(const FinishedRun& run, const char* metric, const char* name, int color);
/// V and A in those bins: median over seeds and quartiles, as Figure 3b.
PlotSpec binned_plot(const FinishedRun& run, const std::string& id, const std::string& title);

/// P and Q of the run, as trained, mean of the upright seeds (a mean over both basins is the weights of no
/// run), in two columns of a row from `column` on.
void add_matrices(FigureSpec& figure, const FinishedRun& run, const std::string& label, int row,
                  int column = 0);

}  // namespace emergence
