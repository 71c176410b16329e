#pragma once
// One trial of a constructed transformer: a Boyan chain, a context, a query, all C_l, and what the layers are
// made of (Wang et al. 2025).

#include <cstdint>
#include <vector>

#include "core/algorithms/batch_td.h"
#include "core/models/constructions.h"

namespace emergence {

enum class BatchAlgorithm { td, residual_gradient, td_lambda, average_reward_td };

/// The matrix that preconditions step l.
enum class Preconditioner {
    random,     // entries of each C_l drawn from N(0, 1/4)
    step_size,  // alpha I
    decaying,   // alpha / (l+1) I
    whitened,   // alpha ((1/n) sum_j phi_j phi_j')^-1, of the trial's own context
};

/// What the transformer has wrong, on purpose: a check that cannot see it checks nothing.
enum class Flaw {
    none,
    gamma,       // its prompt's gamma is off by a factor of 1 + 1e-6
    mask,        // the query column counts as context
    transposed,  // C where C' belongs
    plain_td,    // what makes the algorithm more than TD(0) is missing: lower blocks, traces, centring
};

struct ConstructionOptions {
    BatchAlgorithm algorithm = BatchAlgorithm::td;
    int d = 3;
    int n = 100;
    int layers = 40;
    int num_states = 10;
    double gamma = 0.9;  // 1 is taken for average reward
    double lambda = 0.9;
    bool textbook_trace = false;  // e = gamma lambda e + phi in mask and algorithm; else the paper's lambda e
    Preconditioner preconditioner = Preconditioner::random;
    double step = 0.2;                  // alpha, where C_l is not random
    bool representable = false;         // values linear in the features, see BoyanChainOptions
    bool single_layer_weights = false;  // Corollary 1's, for TD(0): right for one layer, wrong for more
    Flaw flaw = Flaw::none;
};

struct ConstructionTrial {
    Mrp mrp;
    Transitions context;
    Eigen::VectorXd query;
    std::vector<Eigen::MatrixXd> C;  // of the algorithm, one a layer
};

ConstructionTrial draw_trial(const ConstructionOptions& options, uint64_t seed, uint32_t number);

/// The discount in prompts: gamma, or 1 for average reward.
double prompt_gamma(const ConstructionOptions& options);
/// What the algorithm makes of the trial's context.
BatchUpdate algorithm_update(const ConstructionOptions& options, const ConstructionTrial& trial);

/// What each layer applies; `heads` is used for average reward, else `single`.
struct LayerMatrices {
    ConstructedLayer single;
    TwoHeadLayer heads;
};
/// (n+1) x (n+1). A single head has `memory` alone.
struct HeadMasks {
    Eigen::MatrixXd memory, reward;
};

bool has_two_heads(const ConstructionOptions& options);
/// Of layer `layer`, from 0, with the flaw.
LayerMatrices layer_matrices(const ConstructionOptions& options, const ConstructionTrial& trial, int layer);
HeadMasks head_masks(const ConstructionOptions& options);
/// Z_0: D x (n+1), D = 2d+1 or 2d+2, with the flaw in gamma where it is asked for.
Eigen::MatrixXd trial_prompt(const ConstructionOptions& options, const ConstructionTrial& trial,
                             const Eigen::VectorXd& query);

}  // namespace emergence
