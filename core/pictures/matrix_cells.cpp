#include "core/pictures/matrix_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/pictures/axis.h"

namespace emergence {

static int first_index_of(const std::vector<Block>& blocks, int index) {
    int first = 0;
    for (int i = 0; i < index; ++i) first += blocks[i].size;
    return first;
}

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

std::vector<Segment> hatch_strokes(const Rect& rect, double spacing) {
    std::vector<Segment> strokes;
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
    constexpr double kFewestCells = 4.0;
    return std::max(1.0, static_cast<double>(std::min(rows, columns)) / kFewestCells);
}

double largest_entry(const Table& table) {
    double largest = 0.0;
    for (const double value : table.values)
        if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
    return largest;
}

void apply_limits(HeatmapSpec& heatmap, const ColorLimits& limits) {
    const bool manual = limits.rule == ColorLimits::Rule::manual;
    if (manual) heatmap.limit = limits.manual;
    if (!std::isfinite(heatmap.limit) || heatmap.limit <= 0.0) heatmap.limit = 1.0;
    if (manual) heatmap.note += fmt::format(", colours end at {}, set by hand", readout(heatmap.limit));
}

ClippedCells clipped_cells(const HeatmapSpec& heatmap) {
    // Rounding of a mean must not count as clipping.
    const double limit = heatmap.limit * (1.0 + 1e-9);
    ClippedCells clipped;
    for (const double value : heatmap.values.values) {
        clipped.above += value > limit ? 1 : 0;
        clipped.below += value < -limit ? 1 : 0;
    }
    return clipped;
}

constexpr double kClearlyLarger = 1.08;

static int rows_for_matrices(int count, int columns) { return (count + columns - 1) / columns; }

// The size of one of so many pictures.
static Size share_of(Size room, Size gap, int columns, int rows) {
    return {std::floor((room.width - gap.width * (columns - 1)) / columns),
            std::floor((room.height - gap.height * (rows - 1)) / rows)};
}

// Behind the last matrix of the group that matrix `first` is in.
static size_t group_end(const std::vector<int>& groups, size_t first) {
    size_t end = first;
    while (end < groups.size() && groups[end] == groups[first]) ++end;
    return end;
}

// Places one matrix after the other, a group in one row if it fits. Stacked, a matrix's pictures lie below each other,
// and a row is as high as the matrix with most; else they lie beside each other, and none is broken over two rows.
static void place_matrices(MatrixArrangement& one, const std::vector<int>& pictures, const std::vector<int>& groups) {
    int column = 0, high = 0;
    for (size_t i = 0; i < pictures.size(); ++i) {
        const size_t end = group_end(groups, i);
        const int wide = one.stacked ? 1 : pictures[i];
        const int all =
            one.stacked ? static_cast<int>(end - i) : std::accumulate(pictures.begin() + i, pictures.begin() + end, 0);
        const bool begins = i == 0 || groups[i] != groups[i - 1];
        const bool parted = begins && (one.stacked || all <= one.columns) && column + all > one.columns;
        if (column > 0 && (parted || column + wide > one.columns)) {
            one.rows += std::exchange(high, 0);
            column = 0;
        }
        one.places.push_back({one.rows, column});
        column += wide;
        high = std::max(high, one.stacked ? pictures[i] : 1);
    }
    one.rows += high;
}

static MatrixArrangement placed(int columns, bool stacked, const std::vector<int>& pictures,
                                const std::vector<int>& groups, const ArrangementRoom& room) {
    MatrixArrangement one;
    one.columns = columns;
    one.stacked = stacked;
    place_matrices(one, pictures, groups);
    one.picture = share_of(room.size, room.gap, one.columns, one.rows);
    return one;
}

// Splits a room into one for learned matrices, of this share, and one for theory's.
static TheoryPlace split_room(Size room, Size gap, bool below, double share) {
    TheoryPlace one;
    one.below = below;
    one.learned = one.theory = room;
    double& length = below ? one.learned.height : one.learned.width;
    const double between = below ? gap.height : gap.width;
    length = std::floor((length - between) * share);
    (below ? one.theory_at.y : one.theory_at.x) = length + between;
    (below ? one.theory.height : one.theory.width) -= length + between;
    return one;
}

// The number of columns in which so many pictures have the largest cells.
static int widest_columns(Size room, Size gap, int count, int together, const std::function<double(Size)>& cell_of) {
    int best = together;
    double most = -1.0;
    for (int columns = together; columns <= count; columns += together) {
        const double cell = cell_of(share_of(room, gap, columns, rows_for_matrices(count, columns)));
        if (cell > most) best = columns;
        most = std::max(most, cell);
    }
    return best;
}

// How many neighbours stay in a row: the size of the groups if several are equally large, otherwise one.
static int size_of_groups(const std::vector<int>& groups) {
    const size_t size = groups.empty() ? 1 : group_end(groups, 0);
    if (size == groups.size()) return 1;
    for (size_t at = 0; at < groups.size(); at += size)
        if (group_end(groups, at) != at + size) return 1;
    return static_cast<int>(size);
}

std::vector<int> groups_by_layer(const std::vector<std::string>& names) {
    constexpr size_t kMostDigits = 6;
    std::vector<int> groups;
    for (const std::string& name : names) {
        const size_t last = name.find_last_not_of("0123456789");
        const size_t first = last == std::string::npos ? 0 : last + 1;
        const bool numbered = first < name.size() && name.size() - first <= kMostDigits;
        groups.push_back(numbered ? std::stoi(name.substr(first)) : -1 - static_cast<int>(groups.size()));
    }
    return groups;
}

MatrixArrangement arrange_matrices(const std::vector<int>& pictures, const std::vector<int>& groups,
                                   const ArrangementRoom& room, const std::function<double(Size)>& cell_of,
                                   const MatrixArrangement& present) {
    if (pictures.empty()) return {};
    const auto matrices = static_cast<int>(pictures.size());
    const int most = *std::max_element(pictures.begin(), pictures.end());
    const int all = std::accumulate(pictures.begin(), pictures.end(), 0);
    MatrixArrangement best;
    double best_cell = -1.0;
    const auto consider = [&](int columns, bool stacked) {
        MatrixArrangement one = placed(columns, stacked, pictures, groups, room);
        const bool first = best_cell < 0.0;
        if (!first && (one.picture.width < room.least.width || one.picture.height <= 0.0)) return;
        const double cell = cell_of(one.picture);
        if (!first && cell <= best_cell * kClearlyLarger) return;
        best = std::move(one);
        best.cell = best_cell = cell;
    };
    // The present arrangement comes first, so it stays unless another one is clearly better.
    const int least_columns = present.stacked ? 1 : most, most_columns = present.stacked ? matrices : all;
    if (present.columns >= least_columns && present.columns <= most_columns &&
        placed(present.columns, present.stacked, pictures, groups, room).picture.width >= room.least.width)
        consider(present.columns, present.stacked);
    for (int columns = 1; columns <= all; ++columns) {
        if (columns >= most) consider(columns, false);
        if (most > 1 && columns <= matrices) consider(columns, true);
    }
    // More matrices than fit in a legible size are scrolled.
    best.picture.height = std::max(best.picture.height, std::min(room.size.height, room.least.height));
    return best;
}

TheoryPlace place_theory(const std::vector<int>& groups, bool each_own, const ArrangementRoom& room,
                         const std::function<double(Size)>& cell_of) {
    constexpr double kSmallestShare = 0.56, kLargestShare = 0.89, kStep = 0.04;  // of the room, to what was learned
    constexpr double kLeastCell = 0.4;
    const int count = static_cast<int>(groups.size()), together = size_of_groups(groups);
    const auto step = [&](Size picture) {
        return Size{picture.width + room.gap.width, picture.height + room.gap.height};
    };
    TheoryPlace best;
    const auto consider = [&](TheoryPlace one) {
        one.cell = cell_of(one.learned);
        if (one.cell > best.cell && one.theory.width >= room.least.width && one.theory.height >= room.least.height &&
            cell_of(one.theory) >= kLeastCell * one.cell)
            best = one;
    };
    for (const bool below : {false, true})
        for (double share = kSmallestShare; share < kLargestShare; share += kStep) {
            for (int columns = together; each_own && columns <= count; columns += together) {
                const Size unit = share_of(room.size, room.gap, columns, rows_for_matrices(count, columns));
                TheoryPlace one = split_room(unit, room.gap, below, share);
                one.columns = one.theory_columns = columns;
                one.step = one.theory_step = step(unit);
                consider(one);
            }
            if (each_own) continue;
            TheoryPlace one = split_room(room.size, room.gap, below, share);
            one.columns = widest_columns(one.learned, room.gap, count, together, cell_of);
            one.theory_columns = widest_columns(one.theory, room.gap, count, together, cell_of);
            one.learned = share_of(one.learned, room.gap, one.columns, rows_for_matrices(count, one.columns));
            one.theory =
                share_of(one.theory, room.gap, one.theory_columns, rows_for_matrices(count, one.theory_columns));
            one.step = step(one.learned);
            one.theory_step = step(one.theory);
            consider(one);
        }
    return best;
}

}  // namespace emergence
