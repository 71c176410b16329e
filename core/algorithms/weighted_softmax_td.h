#pragma once
// Weighted softmax TD (the softmax paper) as plain loops: the reference for the constructed transformer, layer by
// layer.

#include <functional>
#include <vector>

#include "core/base/linear_algebra.h"

namespace emergence {

/// One context. features: d x (n+1), of the states S_0 .. S_n; rewards: n, R_1 .. R_n.
struct StateSequence {
    Eigen::MatrixXd features;
    Eigen::VectorXd rewards;
};

/// The similarity of two states, from their features.
using Similarity = std::function<double(const Eigen::VectorXd&, const Eigen::VectorXd&)>;

/// The values v_l(S_0) .. v_l(S_n) after l = 0 .. steps steps from v_0 = 0, Eqs. (11), (12) and Section 3:
///
///     v_{l+1}(s) = v_l(s) + step sum_k K(S_{k-1}, s) (R_k + gamma v_l(S_k) - v_l(S_{k-1}))
///
/// K is the similarity, normalised to sum 1 over the n transitions if `normalised` (softmax weights, for an exponential
/// similarity), else divided by n.
std::vector<Eigen::VectorXd> weighted_softmax_td(const StateSequence& context, const Similarity& similarity,
                                                 bool normalised, double gamma, double step, int steps);

/// The operators on a finite state space, Eq. (24), m x m each. Row s holds the weights that state s gives to
/// transitions from (M) and into (P) each state.
struct SoftmaxTdOperators {
    Eigen::MatrixXd M;
    Eigen::MatrixXd P;
};
/// The operators from counts(s, s'), the number of transitions seen from s to s', and scores(s', s) of source s' for
/// column s. The weights are a softmax over transitions; a state without outgoing transitions is not a source.
SoftmaxTdOperators softmax_td_operators(const Eigen::MatrixXd& counts, const Eigen::MatrixXd& scores);

/// One step of Eq. (25), v + step (M r - M v + gamma P v). rewards: m, of the state that is left.
Eigen::VectorXd softmax_td_step(const SoftmaxTdOperators& operators, const Eigen::VectorXd& rewards,
                                const Eigen::VectorXd& v, double gamma, double step);

/// Softmax weights between states, m x m, with source s' counted weights[s'] times; row s holds the weights that column
/// s gives to the sources. For a stationary distribution this is the population's kernel, Eq. (27).
Eigen::MatrixXd state_kernel(const Eigen::VectorXd& weights, const Eigen::MatrixXd& scores);

/// The margin C of Assumption 5.1:
///
///     C = min_s (K(s, s) - sum_{s' != s} K(s, s')) - gamma
///
/// The paper's text lacks its formula. With ours I - M + gamma P contracts by 1 - C in the maximum norm if C > 0.
double diagonality_margin(const Eigen::MatrixXd& kernel, double gamma);

}  // namespace emergence
