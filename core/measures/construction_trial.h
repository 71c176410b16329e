#pragma once
// One trial of a constructed transformer: a Boyan chain, a context, a query, all C_l, and the matrices of the layers
// (Wang et al. 2025).

#include <cstdint>
#include <functional>
#include <vector>

#include "core/algorithms/batch_td.h"
#include "core/models/constructions.h"

namespace emergence {

/// The algorithms with a construction, see batch_td.h.
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
    // Without the parts that extend TD(0): lower blocks, traces, centring.
    plain_td,
};

/// The algorithm, the task and the sizes of a trial.
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

/// One trial.
struct ConstructionTrial {
    Mrp mrp;
    Transitions context;
    Eigen::VectorXd query;
    // The algorithm's C_l, one per layer.
    std::vector<Eigen::MatrixXd> C;
};

/// Trial number `number` of a seed.
ConstructionTrial draw_trial(const ConstructionOptions& options, uint64_t seed, uint32_t number);

/// The discount in prompts: gamma, or 1 for average reward.
double prompt_gamma(const ConstructionOptions& options);
/// The algorithm's update on the trial's context.
BatchUpdate algorithm_update(const ConstructionOptions& options, const ConstructionTrial& trial);

/// The matrices of one layer: `heads` for average reward, else `single`.
struct LayerMatrices {
    ConstructedLayer single;
    TwoHeadLayer heads;
};
/// The masks, (n+1) x (n+1) each. A single head uses `memory`.
struct HeadMasks {
    Eigen::MatrixXd memory, reward;
};

/// Whether the construction has two heads, as for average reward.
bool has_two_heads(const ConstructionOptions& options);
/// The matrices of a layer, from 0, with the flaw.
LayerMatrices layer_matrices(const ConstructionOptions& options, const ConstructionTrial& trial, int layer);
/// The masks, with the flaw.
HeadMasks head_masks(const ConstructionOptions& options);
/// The prompt Z_0, with the flaw in gamma: D x (n+1), D = 2d+1, or 2d+2 for two heads.
Eigen::MatrixXd trial_prompt(const ConstructionOptions& options, const ConstructionTrial& trial,
                             const Eigen::VectorXd& query);

// A construction against its algorithm over many trials: the two numbers by which every such check is judged.

/// The relative differences after each layer in trial number `trial`; at least one.
using TrialDifferences = std::function<std::vector<double>(uint32_t trial)>;

/// The largest difference over layers and trials 0 .. trials-1: a right construction leaves rounding.
double largest_difference_in(int trials, const TrialDifferences& differences);
/// The minimum over trials of the largest difference over layers: a flaw must show in every trial.
double least_difference_in(int trials, const TrialDifferences& differences);

}  // namespace emergence
