#pragma once
// Nonlinear least squares by damped Gauss-Newton steps (Levenberg 1944, Marquardt 1963), a step at a time, so
// that a fit can follow something that moves: each step begins where the last one ended.

#include <functional>

#include "core/base/eigen.h"

namespace emergence {

/// The sum of squares r(x)' r(x), and, with J = dr/dx, what a step needs of it.
struct NormalEquations {
    double loss = 0;            // r'r
    Eigen::MatrixXd curvature;  // J'J
    Eigen::VectorXd gradient;   // J'r
};

class LeastSquares {
  public:
    using Loss = std::function<double(const Eigen::VectorXd& x)>;
    using Linearise = std::function<NormalEquations(const Eigen::VectorXd& x)>;

    explicit LeastSquares(Eigen::VectorXd start) : x_(std::move(start)) {}

    /// One step: the damping grows until the loss falls, and shrinks after. False, and nothing has moved,
    /// where it does not fall however short the step, or is not finite.
    bool step(const Linearise& linearise, const Loss& loss);

    const Eigen::VectorXd& x() const { return x_; }
    /// Of the diagonal, in units of the curvature's own.
    double damping() const { return damping_; }
    /// Goes on from elsewhere.
    void restore(Eigen::VectorXd x, double damping);

    static constexpr double kFirstDamping = 1e-3;

  private:
    Eigen::VectorXd x_;
    double damping_ = kFirstDamping;
};

}  // namespace emergence
