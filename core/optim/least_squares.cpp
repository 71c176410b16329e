#include "core/optim/least_squares.h"

#include <algorithm>
#include <cmath>

#include "core/base/linear_algebra.h"

namespace emergence {
namespace {

constexpr double kLeastDamping = 1e-15, kMostDamping = 1e9, kFactor = 10;
// Keeps the system regular for a parameter without curvature, which then does not move.
constexpr double kLeastCurvature = 1e-300;

}  // namespace

bool LeastSquares::step(const Linearise& linearise, const Loss& loss) {
    const NormalEquations at = linearise(x_);
    if (!std::isfinite(at.loss) || !at.gradient.allFinite()) return false;
    for (double damping = damping_; damping <= kMostDamping; damping *= kFactor) {
        Eigen::MatrixXd damped = at.curvature;
        damped.diagonal() =
            damped.diagonal() * (1.0 + damping) + Eigen::VectorXd::Constant(x_.size(), kLeastCurvature);
        const Eigen::VectorXd next = x_ - solve_positive(damped, at.gradient);
        if (!next.allFinite()) continue;
        const double there = loss(next);
        if (!(there < at.loss)) continue;
        x_ = next;
        damping_ = std::max(kLeastDamping, damping / kFactor);
        return true;
    }
    damping_ = kFirstDamping;
    return false;
}

void LeastSquares::restore(Eigen::VectorXd x, double damping) {
    x_ = std::move(x);
    damping_ = std::clamp(damping, kLeastDamping, kMostDamping);  // by which the search is bounded
}

}  // namespace emergence
