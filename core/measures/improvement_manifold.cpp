#include "core/measures/improvement_manifold.h"

#include <cmath>
#include <limits>

#include "core/base/linear_algebra.h"

namespace emergence {

ManifoldFit fit_manifold(const EffectiveBlocks& blocks, const EffectiveBlocks& target) {
    const double a = blocks.P12.cwiseProduct(target.P12).sum(), p = target.P12.squaredNorm();
    const double b = blocks.V21.cwiseProduct(target.V21).sum(), v = target.V21.squaredNorm();
    // The stationary points of f(c) = |P12 - c P12*|^2 + |V21 - V21* / c|^2 are the real roots of
    //
    //     p c^4 - a c^3 + b c - v
    //
    // which are eigenvalues of its companion matrix. Since -v < 0 < p, both signs occur.
    Eigen::Matrix4d companion = Eigen::Matrix4d::Zero();
    companion.diagonal(-1).setOnes();
    companion.col(3) << v / p, -b / p, 0.0, a / p;
    const Eigen::Vector4cd roots = eigenvalues(companion);
    ManifoldFit best;
    best.distance = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 4; ++i) {
        const double c = roots(i).real();
        if (std::abs(roots(i).imag()) > 1e-6 * std::abs(roots(i)) || c == 0.0) continue;
        const double distance =
            std::sqrt((blocks.P12 - c * target.P12).squaredNorm() + (blocks.V21 - target.V21 / c).squaredNorm());
        if (distance < best.distance) best = {c, distance, distance / std::sqrt(c * c * p + v / (c * c))};
    }
    return best;
}

EffectiveBlocks off_manifold(const EffectiveBlocks& target, double c, double distance, Stream& stream) {
    EffectiveBlocks blocks = rescaled(target, c), aside = blocks;
    const double norm = std::sqrt(blocks.P12.squaredNorm() + blocks.V21.squaredNorm());
    for (double& x : aside.P12.reshaped()) x = stream.normal();
    for (double& x : aside.V21.reshaped()) x = stream.normal();
    // The tangent of the manifold is (P12*, -V21* / c^2).
    const Eigen::MatrixXd tangent_V = -target.V21 / (c * c);
    const double along = (aside.P12.cwiseProduct(target.P12).sum() + aside.V21.cwiseProduct(tangent_V).sum()) /
                         (target.P12.squaredNorm() + tangent_V.squaredNorm());
    aside.P12 -= along * target.P12;
    aside.V21 -= along * tangent_V;
    const double length = distance * norm / std::sqrt(aside.P12.squaredNorm() + aside.V21.squaredNorm());
    blocks.P12 += length * aside.P12;
    blocks.V21 += length * aside.V21;
    return blocks;
}

double block_balance(const EffectiveBlocks& blocks) { return blocks.P12.squaredNorm() - blocks.V21.squaredNorm(); }

double scale_of_balance(const EffectiveBlocks& target, double balance) {
    // c^2 |P12*|^2 - |V21*|^2 / c^2 = balance
    const double p = target.P12.squaredNorm(), v = target.V21.squaredNorm();
    const double root = std::sqrt(balance * balance + 4.0 * p * v);
    // Two forms of the same root avoid the difference of nearly equal numbers.
    return std::sqrt(balance > 0 ? (balance + root) / (2.0 * p) : 2.0 * v / (root - balance));
}

}  // namespace emergence
