#pragma once
// Draws a HeatmapSpec: square cells as one texture, block borders and labels, numbers where they fit, colour
// bar, and a readout of the cell under the pointer. Note and norm stand in the title's tooltip: an exported picture has
// them below. Can be zoomed, and cells can be clicked.

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/heatmap_frame.h"
#include "core/pictures/figure_spec.h"
#include "core/pictures/matrix_cells.h"

namespace emergence {

/// What a heatmap remembers between frames.
class HeatmapState {
  public:
    /// The specification was replaced: its colours have to be computed again.
    void invalidate() { uploaded_ = false; }
    ImTextureID texture(const Ui& ui, const HeatmapSpec& spec);
    /// The colours of `spec` in this theme.
    const ColorRamp& ramp(const Ui& ui, const HeatmapSpec& spec);

  private:
    bool uploaded_ = false;
    double limit_ = 0.0;
    Theme theme_ = Theme::dark;
    const ColorMap* map_ = nullptr;
    std::optional<ColorRamp> ramp_;
    ImTextureID texture_ = nullptr;
};

/// A cell, or the block it lies in, that is marked or was clicked.
struct MarkedCell {
    CellPosition cell;
    bool block = false;
    bool operator==(const MarkedCell&) const = default;
};

/// What is known besides the picture itself.
struct HeatmapContext {
    std::optional<CellPosition> highlight;   // a cell that is pointed at elsewhere
    const HeatmapSpec* companion = nullptr;  // its cells are read beside this one's; may be null
    std::string companion_name;              // "theory"
    std::string help;                        // said where the title is pointed at
    MatrixZoom* zoom = nullptr;              // moved by Ctrl + wheel and drag; where null the whole is shown
    bool reads = true;                       // says what is under the pointer
    HeatmapBar bar = HeatmapBar::beside;
    bool bar_at_neighbour = false;  // only its room is kept
    std::optional<MarkedCell> selected;
    std::vector<BlockPosition> outlined;  // blocks that are spoken of elsewhere
};

struct HeatmapResponse {
    std::optional<CellPosition> hovered;
    double value = 0.0;
    std::string row_text;     // "row 9: R"
    std::string column_text;  // "column 3: phi, 3 of 4"
    ImVec2 cells_min;         // what is seen of the matrix, in pixels
    ImVec2 cells_max;
    std::optional<MarkedCell> clicked;    // a block where Shift was held
    bool fitted = false;                  // double-clicked
    std::optional<double> dragged_limit;  // what the colour bar was dragged to
    bool bar_clicked = false;
};

/// Draws at the cursor, `size` pixels large. Logged as "heatmap ID", its cells as "cells ID" and its colour
/// bar as "color bar ID".
HeatmapResponse draw_heatmap(const Ui& ui, const HeatmapSpec& spec, HeatmapState& state, ImVec2 size,
                             const HeatmapContext& context);

}  // namespace emergence
