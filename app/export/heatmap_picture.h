#pragma once
// A matrix on the page.

#include <optional>
#include <string>
#include <vector>

#include "app/export/cell_picture.h"
#include "app/export/legend.h"
#include "core/pictures/axis.h"
#include "core/pictures/matrix_cells.h"

namespace emergence::page {

/// A HeatmapSpec, always the whole matrix, that knows how much room it needs around its square cells. All
/// arguments must outlive it.
class HeatmapPicture final : public CellPicture {
  public:
    HeatmapPicture(const HeatmapSpec& heatmap, const Rect& cell, const Style& style, const TextMeter& meter);

    double title_height() const override;
    /// Room around the matrix, without the title, for block labels, colour bar, norm strip and note.
    Insets insets() const override { return insets_; }
    Need need() const override;
    /// Draws the matrix as large as it fits into `area`, at its top, the whole centred in the cell. The title
    /// ends at `title_bottom`.
    void draw(Canvas& canvas, const Rect& area, double title_bottom) const override;

  private:
    /// Broken into lines, but no word.
    std::vector<BlockLabel> row_lines() const;
    std::vector<BlockLabel> column_lines() const;
    void wrap_labels(std::vector<BlockLabel>& labels, double limit) const;
    double longest_line(const std::vector<BlockLabel>& labels) const;
    double flat_labels_width() const;
    std::vector<std::string> title_lines() const;
    double bar_room() const;
    double strip_room() const;
    double marks_room() const;  // of their legend
    std::vector<std::string> note_lines() const;
    Size cell_size(const Rect& area) const;

    void draw_values(Canvas& canvas, const CellGrid& place, const CellColors& color) const;
    /// Returns where it ends.
    double draw_norm_strip(Canvas& canvas, const Rect& matrix) const;

    const HeatmapSpec& heatmap_;
    Rect cell_;
    const Style& style_;
    const TextMeter& meter_;
    const ColorMap& map_;
    double limit_ = 1.0;
    Insets insets_;
    std::optional<Legend> marks_legend_;
    bool turned_ = false;  // column labels
};

}  // namespace emergence::page
