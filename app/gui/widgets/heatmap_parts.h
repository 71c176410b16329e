#pragma once
// The parts of a heatmap besides its texture; each draws into the current window's list.

#include "app/gui/widgets/heatmap.h"

namespace emergence {

/// Below the matrix.
void draw_mark_legend(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame);

void frame_cell(const Ui& ui, const HeatmapFrame& frame, CellPosition cell, ImU32 color);
void frame_block(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame, BlockPosition block, ImU32 color);

}  // namespace emergence
