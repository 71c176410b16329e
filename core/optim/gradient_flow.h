#pragma once
// Gradient flow, d x / dt = -grad L(x): gradient descent with infinitesimal steps, followed by steps so small
// that their error is a small part of the way they go. Bogacki and Shampine's Runge-Kutta pair of orders 3
// and 2.

#include "core/optim/objective.h"

namespace emergence {

class GradientFlow {
  public:
    /// `tolerance`: a step's error, over the length of the way that it goes.
    GradientFlow(Eigen::VectorXd start, double tolerance);

    /// Goes on to this time, and ends there. The path depends on the objective, the start and the times that
    /// were asked for. Does nothing once failed().
    void advance(const Objective& objective, double time);

    const Eigen::VectorXd& x() const { return x_; }
    double time() const { return time_; }
    double loss() const { return loss_; }    // at x; NaN before the first advance()
    bool failed() const { return failed_; }  // no step is small enough; x is the last good one

    /// What the next step's length will be, where no time to end at is nearer. 0 at the start.
    double next_step() const { return next_step_; }
    /// Goes on from a state that these were read off.
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
