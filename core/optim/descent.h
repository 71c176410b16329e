#pragma once
// Ways down a loss: L-BFGS, gradient flow, least squares, and a search along a line.

#include <functional>

#include "core/base/matrix.h"

namespace emergence {

/// The loss at x; writes its gradient (as long as x).
using Objective = std::function<double(const Vec& x, Vec& gradient)>;

struct LbfgsOptions {
    // Number of stored pairs of steps and gradient changes.
    int memory = 10;
    // Converged if |g| <= gradient_tolerance max(1, |x|).
    double gradient_tolerance = 1e-10;
};

/// L-BFGS (Liu and Nocedal 1989), one iteration per call, so that a run can be watched, saved and resumed. LBFGS++
/// supplies search directions and line searches. The path depends only on the objective and the starting point.
class Lbfgs {
  public:
    Lbfgs(const LbfgsOptions& options, const Vec& start) : options_(options) {
        restore(start, Mat(start.size(), 0), false);
    }

    /// One iteration: a search direction and a line search for the Wolfe conditions. If the search finds no lower
    /// loss, clears the memory and searches along the gradient; if that fails too, x is a minimum up to rounding.
    /// Does nothing once converged() or diverged().
    void iterate(const Objective& objective);

    const Vec& x() const { return x_; }
    /// The loss at x, after iterate() or evaluate().
    double loss() const { return loss_; }
    double gradient_norm() const { return gradient_.norm(); }
    bool converged() const { return converged_; }
    /// Whether the loss or gradient at the starting point is not finite.
    bool diverged() const { return diverged_; }
    /// Computes loss and gradient at x, unless known.
    void evaluate(const Objective& objective);

    /// Two columns a stored step, oldest first: s = x_{k+1} - x_k, y = g_{k+1} - g_k.
    const Mat& memory() const { return memory_; }
    /// Resumes from x with this memory. Loss and gradient are computed again.
    void restore(Vec x, Mat memory, bool converged);

  private:
    bool search(const Objective& objective);

    LbfgsOptions options_;
    Vec x_, gradient_;
    double loss_ = 0;
    bool evaluated_ = false, converged_ = false, diverged_ = false;
    Mat memory_;
};

/// Gradient flow, gradient descent with infinitesimal steps:
///
///     dx/dt = -grad L(x)
///
/// Integrated by Bogacki and Shampine's Runge-Kutta pair of orders 3 and 2, with steps whose error is a small part of
/// the distance they cover.
class GradientFlow {
  public:
    /// tolerance: largest error of a step, relative to the distance that the step covers.
    GradientFlow(Vec start, double tolerance);

    /// Integrates up to exactly `time`. The path depends on the objective, the start and the times requested. Does
    /// nothing once failed().
    void advance(const Objective& objective, double time);

    const Vec& x() const { return x_; }
    double time() const { return time_; }
    /// The loss at x; NaN before the first advance().
    double loss() const { return loss_; }
    /// Whether no step is small enough; x is then the last good point.
    bool failed() const { return failed_; }

    /// The length of the next step, unless the end time is nearer; 0 at the start.
    double next_step() const { return next_step_; }
    /// Resumes from a saved state.
    void restore(Vec x, double time, double next_step, bool failed);

  private:
    bool try_step(const Objective& objective, double step);

    double tolerance_;
    Vec x_, slope_;  // slope_: -grad L(x)
    Vec second_, third_, last_, place_;
    double time_ = 0.0, loss_, next_step_ = 0.0, error_ = 0.0;
    bool begun_ = false, failed_ = false;
};

/// The sum of squares r(x)' r(x) and its linearisation at x, with J = dr/dx.
struct NormalEquations {
    double loss = 0;  // r'r
    Mat curvature;    // J'J
    Vec gradient;     // J'r
};

/// Nonlinear least squares by damped Gauss-Newton steps (Levenberg 1944, Marquardt 1963), one step per call, each of
/// which starts where the last one ended.
struct LeastSquares {
    using Loss = std::function<double(const Vec& x)>;
    using Linearise = std::function<NormalEquations(const Vec& x)>;
    static constexpr double kFirstDamping = 1e-3;

    /// One step: solves, with growing damping until the loss falls,
    ///
    ///     (J'J + damping diag(J'J)) (next - x) = -J'r
    ///
    /// Returns false and does not move x if no step lowers the loss or the loss is not finite.
    bool step(const Linearise& linearise, const Loss& loss);

    Vec x;
    double damping = kFirstDamping;  // of the next step, relative to the diagonal of J'J
};

/// The minimum of a function of one variable with several minima: the place of the least value in [low, high]: the best
/// point of a grid of this pace, then `cuts` golden sections around it. A value that is not finite counts as the
/// largest.
double line_minimum(const std::function<double(double)>& value, double low, double high, double pace, int cuts);

}  // namespace emergence
