#include "app/gui/panels/matrix_arrangement.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace emergence {
namespace {

constexpr double kClearlyLarger = 1.08;

// Behind the last matrix of the group that matrix `first` is in.
size_t group_end(const std::vector<int>& groups, size_t first) {
    size_t end = first;
    while (end < groups.size() && groups[end] == groups[first]) ++end;
    return end;
}

// A matrix's pictures below each other: a row of matrices is as high as the one with most pictures.
void place_stacked(MatrixArrangement& one, const std::vector<int>& pictures, const std::vector<int>& groups) {
    int high = 0, column = 0;
    for (size_t i = 0; i < pictures.size(); ++i) {
        const int wide = static_cast<int>(group_end(groups, i) - i);
        const bool begins = i == 0 || groups[i] != groups[i - 1];
        if (column > 0 && (column == one.columns || (begins && column + wide > one.columns))) {
            one.rows += std::exchange(high, 0);
            column = 0;
        }
        one.places.push_back({column++, one.rows});
        high = std::max(high, pictures[i]);
    }
    one.rows += high;
}

// Beside each other: one matrix after the other, none broken over two rows.
void place_beside(MatrixArrangement& one, const std::vector<int>& pictures, const std::vector<int>& groups) {
    int column = 0;
    for (size_t i = 0; i < pictures.size(); ++i) {
        const int count = pictures[i];
        const bool begins = i == 0 || groups[i] != groups[i - 1];
        const int all = std::accumulate(pictures.begin() + static_cast<std::ptrdiff_t>(i),
                                        pictures.begin() + static_cast<std::ptrdiff_t>(group_end(groups, i)), 0);
        const bool parted = begins && all <= one.columns && column + all > one.columns;
        if (column > 0 && (parted || column + count > one.columns)) {
            column = 0;
            ++one.rows;
        }
        one.places.push_back({column, one.rows});
        column += count;
    }
    ++one.rows;
}

MatrixArrangement placed(int columns, bool stacked, const std::vector<int>& pictures, const std::vector<int>& groups,
                         const ArrangementRoom& room) {
    MatrixArrangement one;
    one.columns = columns;
    one.stacked = stacked;
    (stacked ? place_stacked : place_beside)(one, pictures, groups);
    const auto across = static_cast<float>(one.columns), down = static_cast<float>(one.rows);
    one.picture = {std::floor((room.size.x - room.gap.x * (across - 1)) / across),
                   std::floor((room.size.y - room.gap.y * (down - 1)) / down)};
    return one;
}

}  // namespace

MatrixArrangement arrange_matrices(const std::vector<int>& pictures, const std::vector<int>& groups,
                                   const ArrangementRoom& room, const std::function<double(ImVec2)>& cell_of,
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
        if (!first && (one.picture.x < room.least.x || one.picture.y <= 0.0F)) return;
        const double cell = cell_of(one.picture);
        if (!first && cell <= best_cell * kClearlyLarger) return;
        best = std::move(one);
        best.cell = best_cell = cell;
    };
    // First come, first kept.
    const int least_columns = present.stacked ? 1 : most, most_columns = present.stacked ? matrices : all;
    if (present.columns >= least_columns && present.columns <= most_columns &&
        placed(present.columns, present.stacked, pictures, groups, room).picture.x >= room.least.x)
        consider(present.columns, present.stacked);
    for (int columns = 1; columns <= all; ++columns) {
        if (columns >= most) consider(columns, false);
        if (most > 1 && columns <= matrices) consider(columns, true);
    }
    // More matrices than fit in a legible size are scrolled.
    best.picture.y = std::max(best.picture.y, std::min(room.size.y, room.least.y));
    return best;
}

TheoryPlace place_theory(ImVec2 room, ImVec2 gap, float least, const std::function<double(ImVec2)>& cell_of) {
    TheoryPlace best;
    double best_cell = -1.0;
    for (const bool below : {false, true})
        for (const float share : {0.64F, 0.68F, 0.72F, 0.76F}) {
            const float length = below ? room.y - gap.y : room.x - gap.x, own = std::floor(length * share);
            if (share > 0.64F && length - own < least) break;  // theory's would be too small to be read
            const TheoryPlace one = below ? TheoryPlace{{room.x, own}, {room.x, length - own}, {0.0F, own + gap.y}}
                                          : TheoryPlace{{own, room.y}, {length - own, room.y}, {own + gap.x, 0.0F}};
            const double cell = cell_of(one.learned);
            if (cell <= best_cell) continue;
            best = one;
            best_cell = cell;
        }
    return best;
}

}  // namespace emergence
