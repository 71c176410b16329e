#include "core/pictures/matrix_cells.h"

#include <fmt/format.h>

#include <cmath>

#include "core/pictures/axis.h"

namespace emergence {
namespace {

int first_index_of(const std::vector<Block>& blocks, int index) {
    int first = 0;
    for (int i = 0; i < index; ++i) first += blocks[static_cast<size_t>(i)].size;
    return first;
}

constexpr double kFewestCells = 4.0;

}  // namespace

std::optional<BlockRange> block_range(const std::vector<Block>& blocks, int index) {
    BlockRange range;
    for (const Block& block : blocks) {
        range.size = block.size;
        if (index < range.first + block.size) return range;
        range.first += block.size;
        ++range.block;
    }
    return std::nullopt;
}

std::optional<BlockPosition> block_at(const HeatmapSpec& spec, CellPosition cell) {
    const auto row = block_range(spec.row_blocks, cell.row), column = block_range(spec.column_blocks, cell.column);
    if (!row || !column) return std::nullopt;
    return BlockPosition{row->block, column->block};
}

CellRange cells_of(const HeatmapSpec& heatmap, int row_block, int column_block) {
    return {first_index_of(heatmap.row_blocks, row_block), first_index_of(heatmap.row_blocks, row_block + 1),
            first_index_of(heatmap.column_blocks, column_block),
            first_index_of(heatmap.column_blocks, column_block + 1)};
}

std::vector<CellRange> hatched_blocks(const HeatmapSpec& heatmap) {
    std::vector<CellRange> ranges;
    for (const BlockMeaning& meaning : heatmap.meanings)
        if (meaning.hatched) ranges.push_back(cells_of(heatmap, meaning.row_block, meaning.column_block));
    return ranges;
}

std::vector<HatchStroke> hatch_strokes(const Rect& rect, double spacing) {
    std::vector<HatchStroke> strokes;
    const double left = rect.x, top = rect.y, right = rect.right(), bottom = rect.bottom();
    if (!(right > left && bottom > top && spacing > 0.0)) return strokes;
    for (double k = std::ceil((left + top) / spacing); k * spacing < right + bottom; k += 1.0) {
        const double sum = k * spacing;  // x + y
        const double x0 = std::max(left, sum - bottom), x1 = std::min(right, sum - top);
        if (x1 > x0) strokes.push_back({{x0, sum - x0}, {x1, sum - x1}});
    }
    return strokes;
}

void MatrixZoom::zoom(double by, double x, double y, double largest) {
    const double before = factor;
    factor = std::clamp(factor * by, 1.0, std::max(1.0, largest));
    const double shrunk = before / factor;
    left = x - (x - left) * shrunk;
    top = y - (y - top) * shrunk;
    pan(0.0, 0.0);
}

void MatrixZoom::pan(double dx, double dy) {
    const double most = 1.0 - 1.0 / factor;
    left = std::clamp(left - dx, 0.0, most);
    top = std::clamp(top - dy, 0.0, most);
}

double largest_zoom(int rows, int columns) {
    return std::max(1.0, static_cast<double>(std::min(rows, columns)) / kFewestCells);
}

double largest_entry(const Table& table) {
    double largest = 0.0;
    for (const double value : table.values)
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    return largest;
}

double magnitude_percentile(const Table& table, double percentile) {
    std::vector<double> magnitudes;
    magnitudes.reserve(table.values.size());
    for (const double value : table.values)
        if (std::isfinite(value)) magnitudes.push_back(std::abs(value));
    if (magnitudes.empty()) return 0.0;
    const double position = std::clamp(percentile, 0.0, 100.0) / 100.0 * static_cast<double>(magnitudes.size() - 1);
    const auto below = static_cast<std::ptrdiff_t>(position);
    const auto at = magnitudes.begin() + below;
    std::nth_element(magnitudes.begin(), at, magnitudes.end());
    if (at + 1 == magnitudes.end()) return *at;
    return std::lerp(*at, *std::min_element(at + 1, magnitudes.end()), position - static_cast<double>(below));
}

void apply_limits(HeatmapSpec& heatmap, const ColorLimits& limits) {
    if (limits.rule == ColorLimits::Rule::percentile)
        heatmap.limit = magnitude_percentile(heatmap.values, limits.percentile);
    else if (limits.rule == ColorLimits::Rule::manual)
        heatmap.limit = limits.manual;
    if (!std::isfinite(heatmap.limit) || heatmap.limit <= 0.0) heatmap.limit = 1.0;
    if (limits.rule == ColorLimits::Rule::percentile)
        heatmap.note += fmt::format(", colours end at {}: {:g} % of the cells lie inside", readout(heatmap.limit),
                                    limits.percentile);
    else if (limits.rule == ColorLimits::Rule::manual)
        heatmap.note += fmt::format(", colours end at {}, set by hand", readout(heatmap.limit));
}

ClippedCells clipped_cells(const HeatmapSpec& heatmap) {
    // Rounding of a mean must not count as clipping.
    const double limit = heatmap.limit * (1.0 + 1e-9);
    ClippedCells clipped;
    // Asked in every frame, mostly of an empty list: one comparison per cell.
    int beyond = 0;
    for (const double value : heatmap.values.values) beyond += std::abs(value) > limit ? 1 : 0;
    if (beyond == 0) return clipped;
    for (const double value : heatmap.values.values) {
        clipped.above += value > limit ? 1 : 0;
        clipped.below += value < -limit ? 1 : 0;
    }
    return clipped;
}

}  // namespace emergence
