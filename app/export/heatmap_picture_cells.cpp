// The cells of a matrix on the page, with block borders and marks.

#include <algorithm>
#include <cmath>

#include "app/export/heatmap_picture.h"
#include "app/export/style.h"
#include "core/pictures/hatching.h"
#include "core/pictures/palette.h"

namespace emergence::page {
namespace {

constexpr Rgb kHatch{140, 140, 140};
constexpr size_t kMostSquares = 1600;  // beyond it cells are one image: as squares they would fill megabytes

std::vector<double> borders_of(const std::vector<Block>& blocks, int size) {
    std::vector<double> borders;
    int at = 0;
    for (const Block& block : blocks) {
        at += block.size;
        if (at > 0 && at < size) borders.push_back(at);
    }
    return borders;
}

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

void HeatmapPicture::draw_hatching(Canvas& canvas, const Rect& matrix) const {
    const double cell = matrix.width / heatmap_.values.columns;
    const double cell_height = matrix.height / heatmap_.values.rows;
    for (const CellRange& range : hatched_blocks(heatmap_))
        for (const HatchStroke& stroke :
             hatch_strokes(matrix.x + range.first_column * cell, matrix.y + range.first_row * cell_height,
                           matrix.x + range.last_column * cell, matrix.y + range.last_row * cell_height,
                           5.0 * style_.scale))
            canvas.line({stroke.from.first, stroke.from.second}, {stroke.to.first, stroke.to.second},
                        {kHatch, 0.5 * style_.grid_line()});
}

void HeatmapPicture::draw_borders(Canvas& canvas, const Rect& matrix) const {
    const Stroke inner{kBorder, 0.7 * style_.axis_line()};
    const double cell = matrix.width / heatmap_.values.columns;
    const double cell_height = matrix.height / heatmap_.values.rows;
    for (const double border : borders_of(heatmap_.column_blocks, heatmap_.values.columns))
        canvas.line({matrix.x + border * cell, matrix.y}, {matrix.x + border * cell, matrix.bottom()}, inner);
    for (const double border : borders_of(heatmap_.row_blocks, heatmap_.values.rows))
        canvas.line({matrix.x, matrix.y + border * cell_height},
                    {matrix.right(), matrix.y + border * cell_height}, inner);
    canvas.frame(matrix, {kBorder, style_.axis_line()});
}

void HeatmapPicture::draw_marks(Canvas& canvas, const Rect& matrix) const {
    const double width = matrix.width / heatmap_.values.columns;
    const double height = matrix.height / heatmap_.values.rows /
                          static_cast<double>(std::max<size_t>(1, heatmap_.marks.size()));
    const double radius = std::min({0.45 * width, 0.45 * height, 3.0 * style_.scale});
    for (size_t lane = 0; lane < heatmap_.marks.size(); ++lane) {
        const CellMarks& marks = heatmap_.marks[lane];
        const Rgb color = categorical(marks.color, Theme::light);
        for (const CellMarks::Cell& cell : marks.cells) {
            const double x = matrix.x + cell.column * width;
            const double y = matrix.y + matrix.height / heatmap_.values.rows * cell.row +
                             height * static_cast<double>(lane);
            if (marks.edge)
                canvas.fill({x, y + 0.8 * height, width, 0.2 * height}, color, 1.0);
            else if (radius >= 1.2 * style_.scale)
                canvas.marker({x + width / 2, y + height / 2}, radius, marks.color, color);
            else
                canvas.fill({x, y + 0.15 * height, width, 0.7 * height}, color, 1.0);
        }
    }
}

}  // namespace emergence::page
