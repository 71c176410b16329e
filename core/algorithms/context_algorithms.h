#pragma once
// The algorithms that transformers run in context, as plain loops: the references for constructions and networks.

#include <functional>
#include <vector>

#include "core/base/matrix.h"
#include "core/tasks/regression.h"
#include "core/tasks/task.h"

namespace emergence {

// Batch policy evaluation as plain loops: the reference for the constructed transformers, step by step.
//
// All start from w_0 = 0 and return w_0 .. w_L, d entries each. C: the preconditioner, d x d, one per step or one for
// all steps; C = alpha I is a step size.

/// An algorithm's update on a context, with reward: n; direction: d x n:
///
///     w_{l+1} = w_l + (1/n) C_l sum_j (reward_j + w_l' gamma_phi_next_j - w_l' phi_j) direction_j
struct BatchUpdate {
    Vec reward;
    Mat direction;
};
/// TD(0), Eq. (8), Wang et al. 2025: direction_j = phi_j.
BatchUpdate td_update(const Transitions& context);

/// Residual gradient, the naive version without double sampling, Eq. (13), Wang et al. 2025:
/// direction_j = phi_j - gamma phi_{j+1}.
BatchUpdate residual_gradient_update(const Transitions& context);

/// TD(lambda), Corollary 3, Wang et al. 2025: direction_j = e_j = trace_decay e_{j-1} + phi_j, with e_{-1} = 0.
/// trace_decay is lambda in Corollary 3 and gamma lambda in textbooks.
BatchUpdate td_lambda_update(const Transitions& context, double trace_decay);

/// Average-reward TD, Theorem 3, Wang et al. 2025: TD with reward_j = R_{j+1} - rbar_{j+1}, rbar_j the mean of
/// R_1 .. R_j. `context` must have gamma = 1.
BatchUpdate average_reward_update(const Transitions& context);

/// w_0 .. w_L of an update, L = steps.
std::vector<Vec> batch_iterates(const Transitions& context, const BatchUpdate& update, const std::vector<Mat>& C,
                                int steps);

/// An update as a linear system, with A: d x d; b: d:
///
///     w_{l+1} = w_l + C_l (b - A w_l)
///     A = (1/n) sum_j direction_j (phi_j - gamma_phi_next_j)'
///     b = (1/n) sum_j reward_j direction_j
///
/// A fixed point has A w = b; for TD(0) it is LSTD's solution.
struct BatchSystem {
    Mat A;
    Vec b;
};
BatchSystem batch_system(const Transitions& context, const BatchUpdate& update);

/// The iterates w_0 .. w_L of batch TD, td_update().
std::vector<Vec> batch_td(const Transitions& context, const std::vector<Mat>& C, int steps);

// Weighted softmax TD (the softmax paper) as plain loops: the reference for the constructed transformer, layer by
// layer.

/// One context. features: d x (n+1), of the states S_0 .. S_n; rewards: n, R_1 .. R_n.
struct StateSequence {
    Mat features;
    Vec rewards;
};

/// The similarity of two states, from their features.
using Similarity = std::function<double(const Vec&, const Vec&)>;

/// The values v_l(S_0) .. v_l(S_n) after l = 0 .. steps steps from v_0 = 0, Eqs. (11), (12) and Section 3 of the
/// softmax paper:
///
///     v_{l+1}(s) = v_l(s) + step sum_k K(S_{k-1}, s) (R_k + gamma v_l(S_k) - v_l(S_{k-1}))
///
/// K is the similarity, normalised to sum 1 over the n transitions if `normalised` (softmax weights, for an exponential
/// similarity), else divided by n.
std::vector<Vec> weighted_softmax_td(const StateSequence& context, const Similarity& similarity, bool normalised,
                                     double gamma, double step, int steps);

/// The operators on a finite state space, Eq. (24) of the softmax paper, m x m each. Row s holds the weights that state
/// s gives to transitions from (M) and into (P) each state.
struct SoftmaxTdOperators {
    Mat M;
    Mat P;
};
/// The operators from counts(s, s'), the number of transitions seen from s to s', and scores(s', s) of source s' for
/// column s. The weights are a softmax over transitions; a state without outgoing transitions is not a source.
SoftmaxTdOperators softmax_td_operators(const Mat& counts, const Mat& scores);

/// One step of Eq. (25) of the softmax paper, v + step (M r - M v + gamma P v). rewards: m, of the state that is left.
Vec softmax_td_step(const SoftmaxTdOperators& operators, const Vec& rewards, const Vec& v, double gamma, double step);

/// Softmax weights between states, m x m, with source s' counted weights[s'] times; row s holds the weights that column
/// s gives to the sources. For a stationary distribution this is the population's kernel, Eq. (27) of the softmax
/// paper.
Mat state_kernel(const Vec& weights, const Mat& scores);

/// The margin C of Assumption 5.1 of the softmax paper:
///
///     C = min_s (K(s, s) - sum_{s' != s} K(s, s')) - gamma
///
/// The paper's text lacks its formula. With ours I - M + gamma P contracts by 1 - C in the maximum norm if C > 0.
double diagonality_margin(const Mat& kernel, double gamma);

// The classical algorithms on one regression task, as plain loops: the reference for in-context regression.

/// The iterates w_0 = 0, w_1, .. of Eq. (11), Ahn et al. 2023:
///
///     w_{l+1} = w_l + A_l grad R(w_l)
///
/// A_l: d x d, negative definite for descent; gradient descent has A_l = -step I.
std::vector<Vec> preconditioned_descent(const RegressionTask& task, const std::vector<Mat>& A);

/// GD++ (von Oswald et al. 2022): gradient steps of size `step` on the residual of y. Between steps all x, the query's
/// too, move by
///
///     x <- (I - shrink (1/n) X X') x
///
/// which evens out the curvature. Returns the implicit w after 0 .. `steps` steps; the prediction is <w, query>.
std::vector<Vec> gd_plus_plus(const RegressionTask& task, double step, double shrink, int steps);

/// argmin_w |X'w - y|^2 / n + lambda |w|^2; for lambda = 0 the least-norm solution.
Vec ridge(const RegressionTask& task, double lambda);

/// The preconditioner of Theorem 1, Eq. (8), Ahn et al. 2023, without its minus sign, for each eigenvalue lambda_i of
/// Sigma:
///
///     w* ~ N(0, I):          1 / ((n+1)/n lambda_i + (1/n) sum_k lambda_k)
///     w* ~ N(0, Sigma^-1):   1 / (lambda_i ((n+1)/n + d/n)), by the same calculation (ours)
Vec one_layer_preconditioner(const Vec& eigenvalues, WeightPrior prior, int n);

}  // namespace emergence
