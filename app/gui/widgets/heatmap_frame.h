#pragma once
// Where the parts of a heatmap lie, and which cell is under a point.

#include <imgui.h>

#include <optional>
#include <vector>

#include "app/gui/shell/theme.h"
#include "app/gui/widgets/strokes.h"
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

/// Where the colour bar stands. `none`: the cells alone, without the legend too. `elsewhere`: at the picture's neighbour.
/// In a presentation a bar always lies below.
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
    const Bounds& legend() const { return legend_; }  // of the marks; no height where there are none

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

}  // namespace emergence
