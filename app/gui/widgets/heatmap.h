#pragma once
// Draws a HeatmapSpec: square cells as one texture, block borders and labels, numbers where they fit, colour
// bar, and a readout of the cell under the pointer. Note and norm stand in the title's tooltip: an exported picture has
// them below. Can be zoomed, and cells can be clicked.

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/imgui_pen.h"
#include "app/gui/widgets/text.h"
#include "core/pictures/figure_spec.h"
#include "core/pictures/matrix_cells.h"

namespace emergence {

// Where the parts of a heatmap lie, and which cell is under a point.

struct Bounds {
    ImVec2 min, max;
    bool contains(ImVec2 point) const {
        return point.x >= min.x && point.x < max.x && point.y >= min.y && point.y < max.y;
    }
};

inline Rect rect_of(const Bounds& bounds) { return rect_between(bounds.min, bounds.max); }

/// Where the colour bar stands. `none`: the cells alone, without the legend too. `elsewhere`: at the picture's
/// neighbour. In a presentation a bar always lies below.
enum class HeatmapBar { none, elsewhere, beside, below };

/// The width that a bar beside a picture takes.
float bar_width(const Ui& ui, const HeatmapSpec& spec);

/// The layout of one heatmap in one frame, in pixels.
class HeatmapFrame {
  public:
    /// At ImGui's cursor, `size` large.
    HeatmapFrame(const Ui& ui, const HeatmapSpec& spec, const MatrixZoom& zoom, ImVec2 size,
                 HeatmapBar bar = HeatmapBar::beside);

    const Bounds& whole() const { return whole_; }
    const Bounds& cells() const { return cells_; }  // what is seen of the matrix
    /// Of the colours.
    const Bounds& bar() const { return bar_; }
    bool bar_lies() const { return bar_.max.x - bar_.min.x > bar_.max.y - bar_.min.y; }
    /// The width that the cells leave unused.
    float spare() const { return spare_; }
    /// The shorter side of a cell.
    double cell_size() const { return cell_; }
    const Bounds& legend() const { return legend_; }  // of the marks; no height without marks

    /// Where rows and columns lie.
    const CellGrid& place() const { return place_; }
    std::optional<CellPosition> cell_at(ImVec2 point) const;
    /// The point as shares of the whole matrix, 0..1 inside.
    ImVec2 share_at(ImVec2 point) const;

  private:
    void place_bar_below(const Ui& ui, const HeatmapSpec& spec);
    void place_bar_beside(const Ui& ui);

    CellGrid place_;
    double cell_ = 1.0;
    float spare_ = 0.0F;
    Bounds whole_, cells_, bar_, legend_;
};

/// The entries of the marks' legend, row by row in a width: their left upper corners relative to its own.
std::vector<ImVec2> mark_legend_places(const Ui& ui, const HeatmapSpec& spec, float width);

/// The title, or where it has no room the short one.
Heading heatmap_heading(const Ui& ui, const HeatmapSpec& spec, float width);

// The parts of a heatmap besides its texture; each draws into the current window's list.

/// Below the matrix.
void draw_mark_legend(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame);

void frame_cell(const Ui& ui, const HeatmapFrame& frame, CellPosition cell, ImU32 color);
void frame_block(const Ui& ui, const HeatmapSpec& spec, const HeatmapFrame& frame, BlockPosition block, ImU32 color);

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
