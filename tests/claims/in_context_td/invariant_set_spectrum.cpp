#include "tests/claims/in_context_td/invariant_set_spectrum.h"

#include <algorithm>
#include <cmath>

#include "core/base/linear_algebra.h"

namespace emergence {
namespace {

// The entries that updates can move: P's last row and Q's first d columns, Q's column by column.
Eigen::VectorXd movable_entries(const WeightUpdate& weights, int d) {
    Eigen::VectorXd entries(weights.P.cols() + weights.Q.rows() * d);
    entries << weights.P.bottomRows(1).transpose(), weights.Q.leftCols(d).reshaped();
    return entries;
}

WeightUpdate weights_with(const Eigen::VectorXd& entries, int d) {
    const int size = 2 * d + 1;
    WeightUpdate weights{Eigen::MatrixXd::Zero(size, size), Eigen::MatrixXd::Zero(size, size)};
    weights.P.bottomRows(1) = entries.head(size).transpose();
    weights.Q.leftCols(d) = entries.tail(size * d).reshaped(size, d);
    return weights;
}

}  // namespace

Eigen::VectorXcd spectrum_off_invariant_set(const UpdateMoments& moments, const WeightUpdate& at) {
    const int d = moments.d;
    const Eigen::VectorXd centre = movable_entries(at, d);
    const Eigen::Index size = centre.size();
    // The update is a polynomial of degree 3, so that the central difference's error is its cubic part times the step
    // squared.
    constexpr double kStep = 1e-5;
    Eigen::MatrixXd derivative(size, size);
    for (Eigen::Index k = 0; k < size; ++k) {
        const auto update = [&](double step) {
            Eigen::VectorXd moved = centre;
            moved(k) += step;
            return movable_entries(expected_update(moments, weights_with(moved, d)), d);
        };
        derivative.col(k) = (update(kStep) - update(-kStep)) / (2.0 * kStep);
    }
    // The three directions along Theta* get an eigenvalue below all others, and leave.
    Eigen::MatrixXd along(size, 3);
    along << movable_entries(invariant_weights(d, {1, 0, 0}), d),
        movable_entries(invariant_weights(d, {0, 1, 0}), d) / std::sqrt(d),
        movable_entries(invariant_weights(d, {0, 0, 1}), d) / std::sqrt(d);
    const Eigen::MatrixXd onto = along * along.transpose(), off = Eigen::MatrixXd::Identity(size, size) - onto;
    Eigen::VectorXcd all = eigenvalues(off * derivative * off - 2.0 * derivative.norm() * onto);
    std::sort(all.begin(), all.end(),
              [](auto a, auto b) { return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag(); });
    return all.tail(size - along.cols());
}

}  // namespace emergence
