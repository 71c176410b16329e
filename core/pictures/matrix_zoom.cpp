#include "core/pictures/matrix_zoom.h"

#include <algorithm>

namespace emergence {
namespace {

constexpr double kFewestCells = 4.0;

}  // namespace

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

}  // namespace emergence
