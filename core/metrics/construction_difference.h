#pragma once
// Constructed transformers against their algorithms, layer by layer in double, as in Figure 13 of Wang et al.
// 2025.

#include <cstdint>
#include <vector>

#include "core/algorithms/batch_td.h"
#include "core/models/constructions.h"

namespace emergence {

enum class BatchAlgorithm { td, residual_gradient, td_lambda, average_reward_td };

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
    double step = 0.0;            // C_l = step I; 0: entries of each C_l drawn from N(0, 1/4)
    bool single_layer_weights = false;  // Corollary 1's, for TD(0): right for one layer, wrong for more
    Flaw flaw = Flaw::none;
};

/// After layer l = 0 .. layers: the value that the transformer predicts, -y_l, the algorithm's, <phi, w_l>,
/// their distance, and the same over |phi| |w_l| (0 where both are 0), which stays meaningful where the
/// iterates grow.
struct LayerDifferences {
    std::vector<double> transformer;
    std::vector<double> algorithm;
    std::vector<double> absolute;
    std::vector<double> relative;
};

/// What one layer of a trial's transformer is made of. P, Q: D x D, of the head that holds the value; D =
/// 2d+1, for average reward 2d+2. mask: (n+1) x (n+1), of the same head; for average reward the reward
/// head's.
struct ConstructedMatrices {
    Eigen::MatrixXd P, Q, mask;
};

/// Layer `layer`, from 0, of that trial.
ConstructedMatrices constructed_matrices(const ConstructionOptions& options, uint64_t seed, uint32_t trial,
                                         int layer);

/// The largest over layers and trials 0 .. trials-1 of the relative difference.
double largest_difference(const ConstructionOptions& options, uint64_t seed, int trials);
/// The same for the trial that shows it least: a flaw should be seen in every one.
double least_difference(const ConstructionOptions& options, uint64_t seed, int trials);

/// One trial: a Boyan chain, a trajectory, a query and all C_l of its own.
LayerDifferences construction_difference(const ConstructionOptions& options, uint64_t seed, uint32_t trial);

}  // namespace emergence
