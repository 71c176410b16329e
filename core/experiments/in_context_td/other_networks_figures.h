#pragma once
// Figures of Wang et al. 2025 on other networks and tasks, and what a trained network does beyond its
// training.

#include "core/lab/study.h"

namespace emergence {

/// Sequential layers against batch TD, L = 2, 3, 4.
GridFigure figure_wang_6(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);
/// Softmax attention against batch TD, on values that features express and on those that they do not.
GridFigure figure_wang_8(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);
/// The value error of recurrent networks against context length, on Boyan chains and loops.
GridFigure figure_wang_12(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);
/// How many worlds until it stops memorising: the pool's size against errors on it and on fresh tasks.
GridFigure figure_pool(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);
/// The value error of the trained network at numbers of layers and context lengths that it never saw.
GridFigure figure_beyond(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);

/// Three sequential layers: what each has learned.
GridFigure figure_wang_7(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);
/// P and Q after training on CartPole, and on the way.
GridFigure figure_wang_10(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);
/// The value error of a recurrent network while it trains.
GridFigure figure_wang_11(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);

}  // namespace emergence
