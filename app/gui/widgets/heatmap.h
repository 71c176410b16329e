#pragma once
// Draws a HeatmapSpec: cells as one texture, block borders and labels, numbers if they fit, a colour bar, and a read-out
// of the cell under the pointer. The title's tooltip has the note and the norm, which an exported picture has below it.
// The user can zoom, and click a cell.

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

struct Bounds {
    ImVec2 min, max;
    bool contains(ImVec2 point) const {
        return point.x >= min.x && point.x < max.x && point.y >= min.y && point.y < max.y;
    }
};

inline Rect rect_of(const Bounds& bounds) { return rect_between(bounds.min, bounds.max); }

/// Where the colour bar stands. `none`: neither bar nor legend. `elsewhere`: a neighbour has the bar. In a presentation
/// the bar always lies below.
enum class HeatmapBar { none, elsewhere, beside, below };

/// The width of a bar beside a picture, with its numbers.
float bar_width(const Ui& ui, const HeatmapSpec& spec);

/// The layout of one heatmap in one frame, in pixels.
struct HeatmapFrame {
    /// At ImGui's cursor, `size` large.
    HeatmapFrame(const Ui& ui, const HeatmapSpec& spec, const MatrixZoom& zoom, ImVec2 size,
                 HeatmapBar kind = HeatmapBar::beside);

    std::optional<CellPosition> cell_at(ImVec2 point) const;
    /// The point as shares of the whole matrix, 0..1 inside.
    ImVec2 share_at(ImVec2 point) const;

    CellGrid place;          // of rows and columns
    double cell_size = 1.0;  // the shorter side of a cell
    float spare = 0.0F;      // the width that the cells leave unused
    Bounds whole, cells;     // cells: the visible part of the matrix
    Bounds bar, legend;      // of the colours, and of the marks; a legend without marks has no height
};

/// What a heatmap remembers between frames.
class HeatmapState {
  public:
    /// The specification was replaced: the next drawing computes its colours again.
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

/// How to draw a heatmap, besides its specification.
struct HeatmapContext {
    std::optional<CellPosition> highlight;   // the cell that the pointer is on in another picture
    const HeatmapSpec* companion = nullptr;  // the read-out has its cell, too; may be null
    std::string companion_name;              // "theory"
    std::string help;                        // the title's tooltip
    MatrixZoom* zoom = nullptr;              // moved by Ctrl + wheel and by a drag; null: the whole matrix
    bool reads = true;                       // draws the read-out
    HeatmapBar bar = HeatmapBar::beside;
    bool bar_at_neighbour = false;  // leaves the bar's room empty
    std::optional<CellPosition> selected;
    std::vector<BlockPosition> outlined;  // the blocks of a formula's term under the pointer
};

struct HeatmapResponse {
    std::optional<CellPosition> hovered;
    Bounds cells{};  // HeatmapFrame::cells()
    std::optional<CellPosition> clicked;
    bool fitted = false;  // double-clicked
    bool bar_clicked = false;
};

/// Draws at the cursor, `size` pixels large. Logged as "heatmap ID", its cells as "cells ID" and its colour
/// bar as "color bar ID".
HeatmapResponse draw_heatmap(const Ui& ui, const HeatmapSpec& spec, HeatmapState& state, ImVec2 size,
                             const HeatmapContext& context);

}  // namespace emergence
