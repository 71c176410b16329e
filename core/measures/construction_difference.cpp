#include "core/measures/construction_difference.h"

#include <cmath>

#include "core/measures/trial_differences.h"

namespace emergence {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// y_l = Z_l[-1, -1] after each layer, with n x n attention as in the paper.
std::vector<double> outputs(const ConstructionOptions& options, const ConstructionTrial& trial) {
    const HeadMasks masks = head_masks(options);
    MatrixXd Z = trial_prompt(options, trial, trial.query);
    std::vector<double> y = {0.0};
    for (int l = 0; l < options.layers; ++l) {
        const LayerMatrices layer = layer_matrices(options, trial, l);
        if (has_two_heads(options))
            Z += two_head_attention(Z, layer.heads, masks.reward, masks.memory) / options.n;
        else
            Z += linear_attention(Z, layer.single.P, layer.single.Q, masks.memory) / options.n;
        y.push_back(Z(Z.rows() - 1, options.n));
    }
    return y;
}

}  // namespace

LayerDifferences construction_difference(const ConstructionOptions& options, const ConstructionTrial& trial) {
    const std::vector<VectorXd> w =
        batch_iterates(trial.context, algorithm_update(options, trial), trial.C, options.layers);
    const std::vector<double> y = outputs(options, trial);
    LayerDifferences differences;
    for (size_t l = 0; l < y.size(); ++l) {
        const double value = trial.query.dot(w[l]), absolute = std::abs(y[l] + value);
        const double size = trial.query.norm() * w[l].norm();
        differences.transformer.push_back(0.0 - y[l]);  // 0, not -0, before the first layer
        differences.algorithm.push_back(value);
        differences.absolute.push_back(absolute);
        differences.relative.push_back(absolute == 0.0 ? 0.0 : absolute / size);
    }
    return differences;
}

LayerDifferences construction_difference(const ConstructionOptions& options, uint64_t seed, uint32_t number) {
    return construction_difference(options, draw_trial(options, seed, number));
}

double largest_difference(const ConstructionOptions& options, uint64_t seed, int trials) {
    return largest_difference_in(
        trials, [&](uint32_t trial) { return construction_difference(options, seed, trial).relative; });
}

double least_difference(const ConstructionOptions& options, uint64_t seed, int trials) {
    return least_difference_in(
        trials, [&](uint32_t trial) { return construction_difference(options, seed, trial).relative; });
}

}  // namespace emergence
