#pragma once
// Figures of Wang et al. 2025 on other networks and tasks, and our figures of networks beyond their training.

#include "core/lab/study.h"

namespace emergence {

/// Figure 6: sequential layers against batch TD, L = 2, 3, 4.
GridFigure figure_wang_6(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);
/// Figure 8: softmax attention against batch TD, with values that are linear in the features and with values
/// that are not.
GridFigure figure_wang_8(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);
/// Figure 12: the value error of recurrent networks against context length, on Boyan chains and loops.
GridFigure figure_wang_12(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);
/// Ours: errors on the pool and on fresh tasks against the size of the pool.
GridFigure figure_pool(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);
/// Ours: the value error of the trained network at numbers of layers and context lengths beyond its training.
GridFigure figure_beyond(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);

/// Figure 7: P and Q of three sequential layers.
GridFigure figure_wang_7(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);
/// Figure 10: P and Q during and after training on CartPole.
GridFigure figure_wang_10(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);
/// Figure 11: the value error of a recurrent network while it trains.
GridFigure figure_wang_11(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);

}  // namespace emergence
