#include "core/metrics/construction_difference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/rng.h"
#include "core/tasks/boyan_chain.h"

namespace emergence {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Trial {
    Transitions context;
    VectorXd query;
    std::vector<MatrixXd> C;
};

Trial draw_trial(const ConstructionOptions& options, uint64_t seed, uint32_t number) {
    Mrp mrp;
    draw_boyan_chain({.num_states = options.num_states, .d = options.d}, seed, number, mrp);
    Stream stream(seed, Purpose::trajectory, number);
    const double gamma = options.algorithm == BatchAlgorithm::average_reward_td ? 1.0 : options.gamma;
    Trial trial{draw_transitions(mrp, gamma, options.n, stream), {}, {}};
    trial.query = mrp.features.col(static_cast<int>(stream.uniform() * options.num_states));
    for (int l = 0; l < options.layers; ++l) {
        trial.C.emplace_back(options.step * MatrixXd::Identity(options.d, options.d));
        if (options.step == 0.0)
            for (double& entry : trial.C.back().reshaped()) entry = 0.5 * stream.normal();
    }
    return trial;
}

double trace_decay(const ConstructionOptions& options) {
    return options.textbook_trace ? options.gamma * options.lambda : options.lambda;
}

std::vector<VectorXd> iterates(const ConstructionOptions& options, const Trial& trial) {
    switch (options.algorithm) {
        case BatchAlgorithm::residual_gradient:
            return batch_residual_gradient(trial.context, trial.C, options.layers);
        case BatchAlgorithm::td_lambda:
            return batch_td_lambda(trial.context, trial.C, trace_decay(options), options.layers);
        case BatchAlgorithm::average_reward_td:
            return batch_average_reward_td(trial.context, trial.C, options.layers);
        case BatchAlgorithm::td:
            break;
    }
    return batch_td(trial.context, trial.C, options.layers);
}

// Z_0, with the flaw in gamma where it is asked for.
MatrixXd prompt(const ConstructionOptions& options, const Trial& trial) {
    Transitions context = trial.context;
    if (options.flaw == Flaw::gamma) context.gamma_phi_next *= 1.0 + 1e-6;
    MatrixXd Z = td_prompt(context, trial.query);
    if (options.algorithm == BatchAlgorithm::average_reward_td) {
        Z.conservativeResize(Z.rows() + 1, Eigen::NoChange);
        Z.bottomRows(1).setZero();
    }
    return Z;
}

ConstructedLayer single_head_layer(const ConstructionOptions& options, const MatrixXd& C) {
    if (options.single_layer_weights) return single_layer_td_construction(C);
    const bool residual =
        options.algorithm == BatchAlgorithm::residual_gradient && options.flaw != Flaw::plain_td;
    return residual ? residual_gradient_construction(C) : td_construction(C);
}

bool has_two_heads(const ConstructionOptions& options) {
    return options.algorithm == BatchAlgorithm::average_reward_td;
}

struct Masks {
    MatrixXd memory, reward;  // a single head has the first
};

Masks masks_of(const ConstructionOptions& options) {
    const bool traces = options.algorithm == BatchAlgorithm::td_lambda && options.flaw != Flaw::plain_td;
    Masks masks;
    masks.memory = traces ? td_lambda_mask(options.n, trace_decay(options)) : context_mask(options.n);
    masks.reward = options.flaw == Flaw::plain_td ? masks.memory : centring_mask(options.n);
    if (options.flaw == Flaw::mask)
        masks.memory(options.n, options.n) = masks.reward(options.n, options.n) = 1.0;
    return masks;
}

// y_l = Z_l[-1, -1] after each layer.
std::vector<double> outputs(const ConstructionOptions& options, const Trial& trial) {
    const Masks masks = masks_of(options);
    MatrixXd Z = prompt(options, trial);
    std::vector<double> y = {0.0};
    for (int l = 0; l < options.layers; ++l) {
        const MatrixXd& drawn = trial.C[static_cast<size_t>(l)];
        const MatrixXd C = options.flaw == Flaw::transposed ? drawn.transpose() : drawn;
        if (has_two_heads(options)) {
            Z +=
                two_head_attention(Z, average_reward_construction(C), masks.reward, masks.memory) / options.n;
        } else {
            const ConstructedLayer layer = single_head_layer(options, C);
            Z += linear_attention(Z, layer.P, layer.Q, masks.memory) / options.n;
        }
        y.push_back(Z(Z.rows() - 1, options.n));
    }
    return y;
}

}  // namespace

LayerDifferences construction_difference(const ConstructionOptions& options, uint64_t seed, uint32_t number) {
    const Trial trial = draw_trial(options, seed, number);
    const std::vector<VectorXd> w = iterates(options, trial);
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

ConstructedMatrices constructed_matrices(const ConstructionOptions& options, uint64_t seed, uint32_t number,
                                         int layer) {
    const MatrixXd C = draw_trial(options, seed, number).C[static_cast<size_t>(layer)];
    const Masks masks = masks_of(options);
    if (has_two_heads(options)) {
        const TwoHeadLayer heads = average_reward_construction(C);
        return {heads.P_memory, heads.Q, masks.reward};
    }
    const ConstructedLayer single = single_head_layer(options, C);
    return {single.P, single.Q, masks.memory};
}

double largest_difference(const ConstructionOptions& options, uint64_t seed, int trials) {
    double largest = 0.0;
    for (int number = 0; number < trials; ++number)
        for (const double difference :
             construction_difference(options, seed, static_cast<uint32_t>(number)).relative)
            largest = std::max(largest, difference);
    return largest;
}

double least_difference(const ConstructionOptions& options, uint64_t seed, int trials) {
    double least = std::numeric_limits<double>::infinity();
    for (int number = 0; number < trials; ++number) {
        const auto relative = construction_difference(options, seed, static_cast<uint32_t>(number)).relative;
        least = std::min(least, *std::max_element(relative.begin(), relative.end()));
    }
    return least;
}

}  // namespace emergence
