#include "core/metrics/improvement_manifold.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace emergence {

ManifoldFit fit_manifold(const EffectiveBlocks& blocks, const EffectiveBlocks& target) {
    const double a = blocks.P12.cwiseProduct(target.P12).sum(), p = target.P12.squaredNorm();
    const double b = blocks.V21.cwiseProduct(target.V21).sum(), v = target.V21.squaredNorm();
    // f(c) = |P12 - c P12*|^2 + |V21 - V21* / c|^2 has f'(c) = 0 at the real roots of
    // p c^4 - a c^3 + b c - v: eigenvalues of its companion matrix. As -v < 0 < p there is one of each sign.
    Eigen::Matrix4d companion = Eigen::Matrix4d::Zero();
    companion.diagonal(-1).setOnes();
    companion.col(3) << v / p, -b / p, 0.0, a / p;
    const Eigen::Vector4cd roots = companion.eigenvalues();
    ManifoldFit best;
    best.distance = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 4; ++i) {
        const double c = roots(i).real();
        if (std::abs(roots(i).imag()) > 1e-6 * std::abs(roots(i)) || c == 0.0) continue;
        const double distance = std::sqrt((blocks.P12 - c * target.P12).squaredNorm() +
                                          (blocks.V21 - target.V21 / c).squaredNorm());
        if (distance < best.distance) best = {c, distance, distance / std::sqrt(c * c * p + v / (c * c))};
    }
    return best;
}

}  // namespace emergence
