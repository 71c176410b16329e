#pragma once
// A Markov reward process with features: one policy-evaluation task (p_0, p, r, phi), Section 3 of Wang et
// al. 2025.

#include <vector>

#include "core/base/eigen.h"
#include "core/base/rng.h"

namespace emergence {

struct Mrp {
    Eigen::VectorXd initial;     // p_0: m
    Eigen::MatrixXd transition;  // p(s, s'): m x m, rows sum to 1
    Eigen::VectorXd reward;      // r(s), of the state being left: m
    Eigen::MatrixXd features;    // phi: d x m, one column a state

    int num_states() const { return static_cast<int>(transition.rows()); }
    int d() const { return static_cast<int>(features.rows()); }
};

/// v = (I - gamma p)^{-1} r, the exact value of every state.
Eigen::VectorXd true_value(const Mrp& mrp, double gamma);

/// The differential value of average-reward learning: v = sum_t E[R_t - rbar | S_0 = s], normalised to mean 0
/// under the stationary distribution (given), with rbar the mean reward. Solves v = r - rbar + p v.
Eigen::VectorXd differential_value(const Mrp& mrp, const Eigen::VectorXd& stationary);

/// The stationary distribution: the null vector of I - p', normalised to sum 1. Throws InputError where the
/// chain has no unique one.
Eigen::VectorXd stationary_distribution(const Mrp& mrp);

/// Draws states by inverting cumulative distributions; built once an MRP, then one uniform a step. Zero
/// probabilities are never drawn.
class StateSampler {
  public:
    void reset(const Mrp& mrp);
    int first(double uniform) const { return draw(0, uniform); }
    int next(int state, double uniform) const { return draw(state + 1, uniform); }

  private:
    int draw(int row, double uniform) const {
        int k = begin_[static_cast<size_t>(row)];
        const int last = begin_[static_cast<size_t>(row) + 1] - 1;
        while (k < last && uniform >= cumulative_[static_cast<size_t>(k)]) ++k;
        return state_[static_cast<size_t>(k)];
    }
    void add_row(const double* probabilities, Eigen::Index stride, int count);

    std::vector<int> begin_, state_;
    std::vector<double> cumulative_;
};

}  // namespace emergence
