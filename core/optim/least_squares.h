#pragma once
// Nonlinear least squares by damped Gauss-Newton steps (Levenberg 1944, Marquardt 1963), one step per call, so that a
// fit can follow a moving target: each step starts where the last one ended.

#include <functional>

#include "core/base/eigen.h"

namespace emergence {

/// The sum of squares r(x)' r(x) and its linearisation at x, with J = dr/dx.
struct NormalEquations {
    double loss = 0;            // r'r
    Eigen::MatrixXd curvature;  // J'J
    Eigen::VectorXd gradient;   // J'r
};

/// The state of one fit.
class LeastSquares {
  public:
    using Loss = std::function<double(const Eigen::VectorXd& x)>;
    using Linearise = std::function<NormalEquations(const Eigen::VectorXd& x)>;

    explicit LeastSquares(Eigen::VectorXd start) : x_(std::move(start)) {}

    /// One step: solves, with growing damping until the loss falls,
    ///
    ///     (J'J + damping diag(J'J)) (next - x) = -J'r
    ///
    /// Returns false and does not move x if no step lowers the loss or the loss is not finite.
    bool step(const Linearise& linearise, const Loss& loss);

    const Eigen::VectorXd& x() const { return x_; }
    /// The damping, relative to the diagonal of J'J.
    double damping() const { return damping_; }
    /// Resumes from a saved state.
    void restore(Eigen::VectorXd x, double damping);

    static constexpr double kFirstDamping = 1e-3;

  private:
    Eigen::VectorXd x_;
    double damping_ = kFirstDamping;
};

}  // namespace emergence
