#pragma once
// L-BFGS (Liu and Nocedal 1989) an iteration at a time, so that its iterations can be watched, saved and gone
// on with. Search directions and line searches are LBFGS++'s.

#include <cstdint>
#include <vector>

#include "core/optim/objective.h"

namespace emergence {

struct LbfgsOptions {
    int memory = 10;                    // pairs of steps and gradient changes that are remembered
    double gradient_tolerance = 1e-10;  // converged when |g| <= this * max(1, |x|)
    int max_evaluations = 30;           // of one line search
};

/// The state of one minimisation. Its path depends on the objective and the starting point alone.
class Lbfgs {
  public:
    /// One remembered step: s = x_{k+1} - x_k, y = g_{k+1} - g_k.
    struct Pair {
        Eigen::VectorXd s, y;
    };

    Lbfgs(const LbfgsOptions& options, Eigen::VectorXd start);

    /// One iteration: a search direction, and a line search for the Wolfe conditions along it. Where
    /// the search finds nothing lower, it is repeated once along the gradient with the memory cleared; where
    /// that finds nothing either, x is a minimum as far as rounding lets one see. Does nothing once
    /// converged() or diverged().
    void iterate(const Objective& objective);

    const Eigen::VectorXd& x() const { return x_; }
    /// Of x; known once iterate() or evaluate() has run.
    double loss() const { return loss_; }
    double gradient_norm() const { return gradient_.norm(); }
    bool converged() const { return converged_; }
    /// The loss or gradient at the starting point is not finite.
    bool diverged() const { return diverged_; }
    /// Loss and gradient at x, unless known.
    void evaluate(const Objective& objective);

    const std::vector<Pair>& memory() const { return memory_; }
    /// Goes on from x with this memory, oldest pair first; what is known of x is evaluated again.
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
