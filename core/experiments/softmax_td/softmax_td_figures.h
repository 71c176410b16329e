#pragma once
// Figures of experiments "softmax-td" and "softmax-construction".

#include <vector>

#include "core/lab/study.h"

namespace emergence {

/// The tables of figures.
std::vector<GridFigureInfo> softmax_td_grid_figures();
std::vector<GridFigureInfo> softmax_construction_grid_figures();

// Figures of constructions, without training: constructed_figures.cpp.
GridFigure figure_softmax_1(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);
GridFigure figure_softmax_2(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);
GridFigure figure_softmax_4(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);
GridFigure figure_softmax_7(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);

// Figures of trained networks: training_figures.cpp, clamp_figure.cpp.
GridFigure figure_softmax_5(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);
GridFigure figure_softmax_6(const ExperimentInfo& info, const Settings& preset, const GridOptions& options);
GridFigure figure_softmax_clamp(const ExperimentInfo& info, const Settings& preset,
                                const GridOptions& options);

}  // namespace emergence
