#include "core/measures/construction_trial.h"

#include <limits>

#include "core/base/linear_algebra.h"
#include "core/base/rng.h"
#include "core/base/statistics.h"
#include "core/tasks/task.h"

namespace emergence {

namespace {

using Eigen::MatrixXd;

double trace_decay(const ConstructionOptions& options) {
    return options.textbook_trace ? options.gamma * options.lambda : options.lambda;
}

MatrixXd draw_preconditioner(const ConstructionOptions& options, const Transitions& context, int layer,
                             Stream& stream) {
    const int d = options.d;
    switch (options.preconditioner) {
        case Preconditioner::random: {
            MatrixXd C(d, d);
            for (double& entry : C.reshaped()) entry = 0.5 * stream.normal();
            return C;
        }
        case Preconditioner::decaying:
            return options.step / (layer + 1) * MatrixXd::Identity(d, d);
        case Preconditioner::whitened: {
            const MatrixXd second_moment = context.phi * context.phi.transpose() / options.n;
            // Pseudo-inverse, since the context may span fewer directions than there are features.
            return options.step * pseudo_inverse(second_moment);
        }
        case Preconditioner::step_size:
            break;
    }
    return options.step * MatrixXd::Identity(d, d);
}

}  // namespace

double prompt_gamma(const ConstructionOptions& options) { return has_two_heads(options) ? 1.0 : options.gamma; }

bool has_two_heads(const ConstructionOptions& options) {
    return options.algorithm == BatchAlgorithm::average_reward_td;
}

ConstructionTrial draw_trial(const ConstructionOptions& options, uint64_t seed, uint32_t number) {
    ConstructionTrial trial;
    draw_mrp({.num_states = options.num_states,
              .d = options.d,
              .gamma = options.gamma,
              .representable = options.representable},
             seed, number, trial.mrp);
    Stream stream(seed, Purpose::trajectory, number);
    trial.context = draw_transitions(trial.mrp, prompt_gamma(options), options.n, stream);
    trial.query = trial.mrp.features.col(static_cast<int>(stream.uniform() * options.num_states));
    for (int l = 0; l < options.layers; ++l) trial.C.push_back(draw_preconditioner(options, trial.context, l, stream));
    return trial;
}

BatchUpdate algorithm_update(const ConstructionOptions& options, const ConstructionTrial& trial) {
    switch (options.algorithm) {
        case BatchAlgorithm::residual_gradient:
            return residual_gradient_update(trial.context);
        case BatchAlgorithm::td_lambda:
            return td_lambda_update(trial.context, trace_decay(options));
        case BatchAlgorithm::average_reward_td:
            return average_reward_update(trial.context);
        case BatchAlgorithm::td:
            break;
    }
    return td_update(trial.context);
}

LayerMatrices layer_matrices(const ConstructionOptions& options, const ConstructionTrial& trial, int layer) {
    MatrixXd C = trial.C[layer];
    if (options.flaw == Flaw::transposed) C.transposeInPlace();
    LayerMatrices matrices;
    if (has_two_heads(options))
        matrices.heads = average_reward_construction(C);
    else if (options.single_layer_weights)
        matrices.single = single_layer_td_construction(C);
    else if (options.algorithm == BatchAlgorithm::residual_gradient && options.flaw != Flaw::plain_td)
        matrices.single = residual_gradient_construction(C);
    else
        matrices.single = td_construction(C);
    return matrices;
}

HeadMasks head_masks(const ConstructionOptions& options) {
    const bool traces = options.algorithm == BatchAlgorithm::td_lambda && options.flaw != Flaw::plain_td;
    HeadMasks masks;
    masks.memory = traces ? td_lambda_mask(options.n, trace_decay(options)) : context_mask(options.n);
    masks.reward = options.flaw == Flaw::plain_td ? masks.memory : centring_mask(options.n);
    if (options.flaw == Flaw::mask) masks.memory(options.n, options.n) = masks.reward(options.n, options.n) = 1.0;
    return masks;
}

MatrixXd trial_prompt(const ConstructionOptions& options, const ConstructionTrial& trial,
                      const Eigen::VectorXd& query) {
    Transitions context = trial.context;
    if (options.flaw == Flaw::gamma) context.gamma_phi_next *= 1.0 + 1e-6;
    MatrixXd Z = td_prompt(context, query);
    if (has_two_heads(options)) {
        Z.conservativeResize(Z.rows() + 1, Eigen::NoChange);
        Z.bottomRows(1).setZero();
    }
    return Z;
}

namespace {

double largest(const std::vector<double>& by_layer) {
    double most = by_layer.front();
    for (const double difference : by_layer) most = larger(most, difference);
    return most;
}

}  // namespace

double largest_difference_in(int trials, const TrialDifferences& differences) {
    double most = 0.0;
    for (int trial = 0; trial < trials; ++trial)
        most = larger(most, largest(differences(static_cast<uint32_t>(trial))));
    return most;
}

double least_difference_in(int trials, const TrialDifferences& differences) {
    double least = std::numeric_limits<double>::infinity();
    for (int trial = 0; trial < trials; ++trial)
        least = smaller(least, largest(differences(static_cast<uint32_t>(trial))));
    return least;
}

}  // namespace emergence
