#pragma once
// A Markov reward process with features: one policy-evaluation task (p_0, p, r, phi), Section 3, Wang et al. 2025.

#include <vector>

#include "core/base/linear_algebra.h"
#include "core/base/rng.h"

namespace emergence {

/// One finite MRP with m states.
struct Mrp {
    Eigen::VectorXd initial;     // p_0: m
    Eigen::MatrixXd transition;  // p(s, s'): m x m, rows sum to 1
    Eigen::VectorXd reward;      // r(s), received on leaving s: m
    Eigen::MatrixXd features;    // phi: d x m, one column per state

    int num_states() const { return static_cast<int>(transition.rows()); }
    int d() const { return static_cast<int>(features.rows()); }
};

/// The exact value of every state, v = (I - gamma p)^{-1} r.
Eigen::VectorXd true_value(const Mrp& mrp, double gamma);

/// The differential value of average-reward learning, v(s) = sum_t E[R_t - rbar | S_0 = s], where rbar is the mean
/// reward. Solves v = r - rbar + p v with mean 0 under the stationary distribution `stationary`.
Eigen::VectorXd differential_value(const Mrp& mrp, const Eigen::VectorXd& stationary);

/// The stationary distribution: the null vector of I - p', normalised to sum 1. Throws InputError if it is not unique.
Eigen::VectorXd stationary_distribution(const Mrp& mrp);

/// The states that the chain leaves for ever, such as all but the end of an episode; none if it returns to each.
std::vector<int> transient_states(const Mrp& mrp);

/// How value errors weigh states: by the stationary distribution, or, if the chain ends in one state or where nothing is
/// paid, by the expected visits to the states before. All of the stationary weight is then where nothing is left to predict.
Eigen::VectorXd error_weights(const Mrp& mrp, const Eigen::VectorXd& stationary);

/// Draws states by inverting cumulative distributions: reset() once per MRP, then one uniform number per step. States
/// with probability 0 are never drawn.
class StateSampler {
  public:
    void reset(const Mrp& mrp);
    int first(double uniform) const { return draw(0, uniform); }
    int next(int state, double uniform) const { return draw(state + 1, uniform); }

  private:
    int draw(int row, double uniform) const {
        int k = begin_[row];
        const int last = begin_[static_cast<size_t>(row) + 1] - 1;
        while (k < last && uniform >= cumulative_[k]) ++k;
        return state_[k];
    }
    void add_row(const double* probabilities, Eigen::Index stride, int count);

    std::vector<int> begin_, state_;
    std::vector<double> cumulative_;
};

// From a trajectory to the prompt Z_0 of in-context TD, Eq. (7), Wang et al. 2025.

/// One context of n transitions (S_j, R_{j+1}, S_{j+1}).
struct Transitions {
    Eigen::MatrixXd phi;             // d x n: phi(S_j)
    Eigen::MatrixXd gamma_phi_next;  // d x n: gamma phi(S_{j+1}), gamma folded in
    Eigen::VectorXd reward;          // n: R_{j+1} = r(S_j)
};

/// The states S_0 .. S_n of a trajectory of `mrp` from its initial distribution: n + 1 uniform numbers.
std::vector<int> draw_path(const Mrp& mrp, int n, Stream& stream);
/// The transitions along a path of at least two states.
Transitions transitions_along(const Mrp& mrp, double gamma, const std::vector<int>& path);
/// The first n transitions of a trajectory of `mrp` from its initial distribution.
Transitions draw_transitions(const Mrp& mrp, double gamma, int n, Stream& stream);

/// Z_0 of Eq. (7): (2d+1) x (n+1), columns [phi_j; gamma phi_{j+1}; R_{j+1}], then the query [phi; 0; 0]. query: d.
Eigen::MatrixXd td_prompt(const Transitions& context, const Eigen::VectorXd& query);

}  // namespace emergence
