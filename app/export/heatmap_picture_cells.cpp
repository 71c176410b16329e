// The cells of a matrix on the page.

#include <algorithm>
#include <cmath>

#include "app/export/heatmap_picture.h"
#include "app/export/style.h"
#include "core/pictures/palette.h"

namespace emergence::page {
namespace {

constexpr size_t kMostSquares = 1600;  // beyond it cells are one image: as squares they would fill megabytes

}  // namespace

void HeatmapPicture::draw_values(Canvas& canvas, const Rect& matrix) const {
    if (heatmap_.values.values.size() > kMostSquares)
        draw_raster(canvas, matrix);
    else
        draw_squares(canvas, matrix);
}

void HeatmapPicture::draw_raster(Canvas& canvas, const Rect& matrix) const {
    const Table& values = heatmap_.values;
    std::vector<Rgb> colors;
    colors.reserve(values.values.size());
    for (const double value : values.values) colors.push_back(color_of(map_, value / limit_, Theme::light));
    canvas.cells(matrix, values.columns, values.rows, colors);
    const double width = matrix.width / values.columns;
    const double height = matrix.height / values.rows;
    for (int row = 0; row < values.rows; ++row)
        for (int column = 0; column < values.columns; ++column)
            if (std::isnan(values(row, column)))
                draw_missing(canvas, {matrix.x + column * width, matrix.y + row * height, width, height});
}

void HeatmapPicture::draw_squares(Canvas& canvas, const Rect& matrix) const {
    const Table& values = heatmap_.values;
    const double width = matrix.width / values.columns;
    const double height = matrix.height / values.rows;
    for (int row = 0; row < values.rows; ++row) {
        for (int column = 0; column < values.columns; ++column) {
            Rect square{matrix.x + column * width, matrix.y + row * height, width, height};
            const double value = values(row, column);
            const Rect own = square;
            // Cells reach under the next ones: viewers show the paper between edges that only touch.
            square.width += column + 1 < values.columns ? std::min(0.6, 0.5 * width) : 0.0;
            square.height += row + 1 < values.rows ? std::min(0.6, 0.5 * height) : 0.0;
            canvas.fill(square, color_of(map_, value / limit_, Theme::light));
            if (std::isnan(value)) draw_missing(canvas, own);
        }
    }
}

void HeatmapPicture::draw_missing(Canvas& canvas, const Rect& square) const {
    canvas.line({square.x, square.bottom()}, {square.right(), square.y},
                {kHatch, std::min(style_.grid_line(), 0.1 * square.width)});
}

}  // namespace emergence::page
