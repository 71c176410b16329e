#include "app/export/style.h"

namespace emergence::page {

PictureStyle Style::picture() const {
    PictureStyle style;
    style.unit = scale;
    style.ink = kInk;
    style.faint = kFaintInk;
    style.label = axis();
    style.shape = {series_line()};
    MatrixStyle& matrix = style.matrix;
    matrix.text = block();
    matrix.row_gap = matrix.column_gap = 2 * gap();
    matrix.labels_apart = gap();
    matrix.frame = {kBorder, axis_line()};
    matrix.border = {kBorder, 0.7 * axis_line()};
    matrix.bar = {kBorder, grid_line()};
    matrix.hatching = {kHatch, 0.5 * grid_line()};
    matrix.hatch_spacing = 5.0 * scale;
    matrix.mark_radius = 3.0 * scale;
    matrix.least_mark = 1.2 * scale;
    return style;
}

}  // namespace emergence::page
