#pragma once
// Weighted softmax TD (the softmax paper) as plain loops: the constructed transformer must equal it, layer by
// layer.

#include <functional>
#include <vector>

#include "core/base/eigen.h"

namespace emergence {

/// One context as the algorithm sees it: features d x (n+1) of the states S_0 .. S_n, rewards R_1 .. R_n.
struct StateSequence {
    Eigen::MatrixXd features;
    Eigen::VectorXd rewards;
};

/// How alike two states are, from their features.
using Similarity = std::function<double(const Eigen::VectorXd&, const Eigen::VectorXd&)>;

/// Values v_l(S_0) .. v_l(S_n) after l = 0 .. steps steps from v_0 = 0:
///     v_{l+1}(s) = v_l(s) + step sum_k K(S_{k-1}, s) (R_k + gamma v_l(S_k) - v_l(S_{k-1})),
/// Eqs. (11) to (12) and weighted softmax TD (Section 3). K is the similarity, `normalised` to sum 1 over the
/// n transitions (the softmax weights, where the similarity is an exponential), or else divided by n.
std::vector<Eigen::VectorXd> weighted_softmax_td(const StateSequence& context, const Similarity& similarity,
                                                 bool normalised, double gamma, double step, int steps);

/// The same on a finite state space, from how often each transition was seen: Eq. (24).
struct SoftmaxTdOperators {
    Eigen::MatrixXd M;  // m x m: row s has the weight that s gives to transitions from each state
    Eigen::MatrixXd P;  // m x m: and to transitions into each state
};
/// counts(s, s'): transitions seen from s to s'. scores(s', s): of source s' for column s; the weights are
/// softmax over the transitions. A state that no transition leaves is no source.
SoftmaxTdOperators softmax_td_operators(const Eigen::MatrixXd& counts, const Eigen::MatrixXd& scores);

/// v + step (M r - M v + gamma P v): one step of Eq. (25); rewards: m, of the state being left.
Eigen::VectorXd softmax_td_step(const SoftmaxTdOperators& operators, const Eigen::VectorXd& rewards,
                                const Eigen::VectorXd& v, double gamma, double step);

/// Softmax weights of the states themselves, with source s' counted `weights[s']` times: row s has the weight
/// that column s gives to each source. With a stationary distribution this is the population's kernel, Eq.
/// (27).
Eigen::MatrixXd state_kernel(const Eigen::VectorXd& weights, const Eigen::MatrixXd& scores);

/// min over states s of K(s,s) - sum over the others of K(s,s') - gamma: the margin C of Assumption 5.1,
/// whose formula is missing in the paper's text; ours is the one with which I - M + gamma P contracts by 1 -
/// C in the largest norm wherever the margin is positive.
double diagonality_margin(const Eigen::MatrixXd& kernel, double gamma);

}  // namespace emergence
