#pragma once
// Which part of a matrix is seen.

namespace emergence {

/// A window of 1/factor of the matrix' width and height, its upper left corner at (left, top); both are
/// shares of the matrix, 0..1. Matrices of equal shape may share one.
struct MatrixZoom {
    double factor = 1.0;
    double left = 0.0, top = 0.0;

    bool zoomed() const { return factor > 1.0; }
    /// Enlarges by `by`, up to `largest`, what lies at (x, y) staying where it is.
    void zoom(double by, double x, double y, double largest);
    /// Moves the matrix by shares of itself, never beyond its edge.
    void pan(double dx, double dy);
    void fit() { *this = {}; }
    bool operator==(const MatrixZoom&) const = default;
};

/// The factor at which about four cells of the shorter side are left to see; 1 for smaller matrices.
double largest_zoom(int rows, int columns);

}  // namespace emergence
