#pragma once
// The parts of a heatmap besides its texture; each draws into the current window's list.

#include "app/gui/widgets/heatmap.h"

namespace emergence {

/// The entries themselves, where cells are large enough for them, in black or white.
void draw_numbers(const Ui& ui, const HeatmapSpec& spec, const ColorRamp& ramp, const HeatmapFrame& frame);
/// The middle of a cell, where a text of this size fits there into what is seen of the cell: cut off, it
/// could be read as another number.
std::optional<ImVec2> number_place(const HeatmapFrame& frame, CellPosition cell, ImVec2 size);
/// The colour bar with the numbers at its ends.
void draw_color_bar(const Ui& ui, const HeatmapSpec& spec, const ColorRamp& ramp, const Bounds& bar);
/// A thermometer of the matrix' length: a scaled picture shows initial noise in full colour, this tells it
/// apart.
void draw_norm_strip(const Ui& ui, const HeatmapSpec& spec, double top, const HeatmapFrame& frame);
/// Below the matrix.
void draw_mark_legend(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame);
void draw_note(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame);

void frame_cell(const Ui& ui, const HeatmapFrame& frame, CellPosition cell, ImU32 color);
void frame_block(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame, BlockPosition block, ImU32 color);

/// "−0.83", "12.3", "−416": short enough for a cell.
std::string cell_text(double value);

}  // namespace emergence
