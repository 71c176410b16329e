#include "app/gui/panels/matrix_arrangement.h"

#include <algorithm>
#include <cmath>

namespace emergence {
namespace {

constexpr double kClearlyLarger = 1.08;

// A picture's size where the matrices are arranged so, however small that is.
ImVec2 picture_size(const MatrixArrangement& arrangement, int matrices, const ArrangementRoom& room) {
    const int rows_of_matrices = (matrices + arrangement.matrices_a_row - 1) / arrangement.matrices_a_row;
    const auto columns =
        static_cast<float>(arrangement.matrices_a_row * (arrangement.stacked ? 1 : arrangement.pictures));
    const auto rows = static_cast<float>(rows_of_matrices * (arrangement.stacked ? arrangement.pictures : 1));
    return {std::floor((room.size.x - room.gap.x * (columns - 1)) / columns),
            std::floor((room.size.y - room.gap.y * (rows - 1)) / rows)};
}

}  // namespace

MatrixArrangement arrange_matrices(int matrices, int pictures, const ArrangementRoom& room,
                                   const std::function<double(ImVec2)>& cell_of,
                                   const MatrixArrangement& present) {
    MatrixArrangement best;
    double best_cell = -1.0;
    const auto consider = [&](int a_row, bool stacked) {
        MatrixArrangement one{a_row, pictures, stacked, {}};
        one.picture = picture_size(one, matrices, room);
        const bool first = best_cell < 0.0;
        if (!first && (one.picture.x < room.least.x || one.picture.y <= 0.0F)) return;
        const double cell = cell_of(one.picture);
        if (!first && cell <= best_cell * kClearlyLarger) return;
        best = one;
        best_cell = cell;
    };
    // First come, first kept.
    if (present.pictures == pictures && present.matrices_a_row <= matrices &&
        picture_size(present, matrices, room).x >= room.least.x)
        consider(present.matrices_a_row, present.stacked);
    for (int a_row = 1; a_row <= std::max(1, matrices); ++a_row) {
        consider(a_row, false);
        if (pictures > 1) consider(a_row, true);
    }
    // More matrices than fit in a legible size are scrolled.
    best.picture.y = std::max(best.picture.y, std::min(room.size.y, room.least.y));
    return best;
}

}  // namespace emergence
