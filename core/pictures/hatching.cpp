#include "core/pictures/hatching.h"

#include <algorithm>
#include <cmath>

namespace emergence {
namespace {

int first_index_of(const std::vector<Block>& blocks, int index) {
    int first = 0;
    for (int i = 0; i < index; ++i) first += blocks[static_cast<size_t>(i)].size;
    return first;
}

}  // namespace

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

}  // namespace emergence
