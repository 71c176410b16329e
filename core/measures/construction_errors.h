#pragma once
// Constructed transformers against their algorithms, trial by trial (Wang et al. 2025).

#include <optional>
#include <vector>

#include "core/algorithms/context_algorithms.h"
#include "core/models/constructions.h"

namespace emergence {

/// The algorithms with a construction, see context_algorithms.h.
enum class BatchAlgorithm { td, residual_gradient, td_lambda, average_reward_td };

/// The matrix C_l that preconditions step l.
enum class Preconditioner {
    // Entries from N(0, 1/4) for each C_l.
    random,
    // alpha I
    step_size,
    // alpha / (l+1) I
    decaying,
    // alpha ((1/n) sum_j phi_j phi_j')^-1, of the trial's own context.
    whitened,
};

/// A deliberate error in the transformer, to prove that the check can fail.
enum class Flaw {
    none,
    // gamma in the prompt is wrong by a factor of 1 + 1e-6.
    gamma,
    // The query's column counts as context.
    mask,
    // C in place of C'.
    transposed,
    // The transformer lacks what extends TD(0): lower blocks, traces, centring.
    plain_td,
};

struct ConstructionOptions {
    BatchAlgorithm algorithm = BatchAlgorithm::td;
    int d = 3;
    int n = 100;
    int layers = 40;
    int num_states = 10;
    // Average reward uses 1 instead.
    double gamma = 0.9;
    double lambda = 0.9;
    // Trace e = gamma lambda e + phi in mask and algorithm; else the paper's e = lambda e + phi.
    bool textbook_trace = false;
    Preconditioner preconditioner = Preconditioner::random;
    // alpha; unused for random C_l.
    double step = 0.2;
    // Values are linear in the features, see TaskOptions.
    bool representable = false;
    // The weights of Corollary 1 for TD(0): right for one layer, wrong for more.
    bool single_layer_weights = false;
    Flaw flaw = Flaw::none;
};

/// One trial: a Boyan chain, a context, a query, and the algorithm's C_l, one per layer.
struct ConstructionTrial {
    Mrp mrp;
    Transitions context;
    Vec query;
    std::vector<Mat> C;
};
ConstructionTrial draw_trial(const ConstructionOptions& options, uint64_t seed, uint32_t number);

/// The matrices of one layer: `heads` for average reward, else `single`.
struct LayerMatrices {
    ConstructedLayer single;
    TwoHeadLayer heads;
};
/// The masks, (n+1) x (n+1) each. A single head uses `memory`.
struct HeadMasks {
    Mat memory, reward;
};

/// With the flaw; layers count from 0.
LayerMatrices layer_matrices(const ConstructionOptions& options, const ConstructionTrial& trial, int layer);
HeadMasks head_masks(const ConstructionOptions& options);

/// Layer by layer in double, as in Figure 13, Wang et al. 2025; after layer l = 0 .. layers:
///
///     transformer   -y_l
///     algorithm     <phi, w_l>
///     absolute      |y_l + <phi, w_l>|
///     relative      absolute / (|phi| |w_l|), or 0 if absolute is 0; meaningful also for growing iterates
struct LayerDifferences {
    std::vector<double> transformer, algorithm, absolute, relative;
};
LayerDifferences construction_difference(const ConstructionOptions& options, const ConstructionTrial& trial);

/// Mean squared value errors of one trial, with every state of the chain as query:
///
///     sum_s d(s) (v_l(s) - v(s))^2,   d: stationary distribution
///
/// For average reward v is the differential value, and errors count up to a constant.
struct LayerErrors {
    // After l = 0 .. layers layers, and as many steps.
    std::vector<double> transformer, algorithm;
    // The error of the algorithm's fixed point; NaN if that is not unique.
    double fixed_point = 0.0;
    // The smallest error of any w, and the error of w = 0.
    double best_linear = 0.0, zero = 0.0;
    // The largest absolute eigenvalue of I - C A (see BatchSystem), the asymptotic factor per layer: below 1 the steps
    // converge. NaN if the C_l differ.
    double contraction = 0.0;
};
LayerErrors construction_errors(const ConstructionOptions& options, const ConstructionTrial& trial);

/// The transformer's values of all states (m) after layer l = 0 .. layers, from Gram matrices G = Z M Z', for any mask:
///
///     T = I + (1/n) P G Q,   Z <- T Z,   G <- T G T'
///
/// Two heads add their terms in T.
std::vector<Vec> construction_values(const ConstructionOptions& options, const ConstructionTrial& trial);

/// The first layer from which all errors are within `tolerance` |errors[0] - limit| of `limit`; none if the last error
/// is not.
std::optional<int> settled_layer(const std::vector<double>& errors, double limit, double tolerance);

}  // namespace emergence
