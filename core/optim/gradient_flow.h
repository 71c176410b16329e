#pragma once
// Gradient flow, gradient descent with infinitesimal steps:
//
//     dx/dt = -grad L(x)
//
// Integrated by Bogacki and Shampine's Runge-Kutta pair of orders 3 and 2, with steps whose error is a small part of
// the distance they cover.

#include "core/optim/objective.h"

namespace emergence {

/// One trajectory of the flow.
class GradientFlow {
  public:
    /// tolerance: largest error of a step, relative to the distance that the step covers.
    GradientFlow(Eigen::VectorXd start, double tolerance);

    /// Integrates up to exactly `time`. The path depends on the objective, the start and the times requested. Does
    /// nothing once failed().
    void advance(const Objective& objective, double time);

    const Eigen::VectorXd& x() const { return x_; }
    double time() const { return time_; }
    /// The loss at x; NaN before the first advance().
    double loss() const { return loss_; }
    /// Whether no step is small enough; x is then the last good point.
    bool failed() const { return failed_; }

    /// The length of the next step, unless the end time is nearer; 0 at the start.
    double next_step() const { return next_step_; }
    /// Resumes from a saved state.
    void restore(Eigen::VectorXd x, double time, double next_step, bool failed);

  private:
    void begin(const Objective& objective);
    bool try_step(const Objective& objective, double step);

    double tolerance_;
    Eigen::VectorXd x_, slope_;  // slope_: -grad L(x)
    Eigen::VectorXd second_, third_, last_, place_;
    double time_ = 0.0, loss_, next_step_ = 0.0, error_ = 0.0;
    bool begun_ = false, failed_ = false;
};

}  // namespace emergence
