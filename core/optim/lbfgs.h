#pragma once
// L-BFGS (Liu and Nocedal 1989), one iteration per call, so that a run can be watched, saved and resumed. LBFGS++
// supplies search directions and line searches.

#include <cstdint>
#include <vector>

#include "core/optim/objective.h"

namespace emergence {

/// The constants of the method.
struct LbfgsOptions {
    // Number of stored pairs of steps and gradient changes.
    int memory = 10;
    // Converged if |g| <= gradient_tolerance max(1, |x|).
    double gradient_tolerance = 1e-10;
    // Per line search.
    int max_evaluations = 30;
};

/// The state of one minimisation. Its path depends only on the objective and the starting point.
class Lbfgs {
  public:
    /// One stored step: s = x_{k+1} - x_k, y = g_{k+1} - g_k.
    struct Pair {
        Eigen::VectorXd s, y;
    };

    Lbfgs(const LbfgsOptions& options, Eigen::VectorXd start);

    /// One iteration: a search direction and a line search for the Wolfe conditions. If the search finds no lower
    /// loss, clears the memory and searches along the gradient; if that fails too, x is a minimum up to rounding.
    /// Does nothing once converged() or diverged().
    void iterate(const Objective& objective);

    const Eigen::VectorXd& x() const { return x_; }
    /// The loss at x, after iterate() or evaluate().
    double loss() const { return loss_; }
    double gradient_norm() const { return gradient_.norm(); }
    bool converged() const { return converged_; }
    /// Whether the loss or gradient at the starting point is not finite.
    bool diverged() const { return diverged_; }
    /// Computes loss and gradient at x, unless known.
    void evaluate(const Objective& objective);

    const std::vector<Pair>& memory() const { return memory_; }
    /// Resumes from x with this memory, oldest pair first. Loss and gradient are computed again.
    void restore(Eigen::VectorXd x, std::vector<Pair> memory, bool converged);

  private:
    bool search(const Objective& objective);

    LbfgsOptions options_;
    Eigen::VectorXd x_, gradient_;
    double loss_ = 0;
    bool evaluated_ = false, converged_ = false, diverged_ = false;
    std::vector<Pair> memory_;
};

}  // namespace emergence
