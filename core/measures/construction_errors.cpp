#include "core/measures/construction_errors.h"

#include <cmath>

#include "core/base/array.h"
#include "core/base/linear_algebra.h"
#include "core/base/rng.h"
#include "core/tasks/task.h"

namespace emergence {
namespace {

// Only the construction for average reward has two heads.
bool has_two_heads(const ConstructionOptions& options) {
    return options.algorithm == BatchAlgorithm::average_reward_td;
}

double trace_decay(const ConstructionOptions& options) {
    return options.textbook_trace ? options.gamma * options.lambda : options.lambda;
}

Mat draw_preconditioner(const ConstructionOptions& options, const Transitions& context, int layer, Stream& stream) {
    Mat C = Mat::Identity(options.d, options.d);
    if (options.preconditioner == Preconditioner::random)
        for (double& entry : C) entry = 0.5 * stream.normal();
    else if (options.preconditioner == Preconditioner::whitened)
        // Pseudo-inverse, since the context may span fewer directions than there are features.
        C = options.step * symmetric_pseudo_inverse(context.phi * context.phi.transpose() / options.n);
    else
        C *= options.step / (options.preconditioner == Preconditioner::decaying ? layer + 1 : 1);
    return C;
}

BatchUpdate algorithm_update(const ConstructionOptions& options, const ConstructionTrial& trial) {
    const Transitions& context = trial.context;
    if (options.algorithm == BatchAlgorithm::residual_gradient) return residual_gradient_update(context);
    if (options.algorithm == BatchAlgorithm::td_lambda) return td_lambda_update(context, trace_decay(options));
    if (options.algorithm == BatchAlgorithm::average_reward_td) return average_reward_update(context);
    return td_update(context);
}

// Z_0, with the flaw in gamma: D x (n+1), D = 2d+1, or 2d+2 for two heads.
Mat trial_prompt(const ConstructionOptions& options, const ConstructionTrial& trial, const Vec& query) {
    Transitions context = trial.context;
    if (options.flaw == Flaw::gamma) context.gamma_phi_next *= 1.0 + 1e-6;
    Mat Z = td_prompt(context, query);
    if (has_two_heads(options)) {
        Mat with_memory(Z.rows() + 1, Z.cols());
        with_memory.topRows(Z.rows()) = Z;
        return with_memory;
    }
    return Z;
}

// y_l = Z_l[-1, -1] after each layer, with n x n attention as in the paper.
std::vector<double> outputs(const ConstructionOptions& options, const ConstructionTrial& trial) {
    const HeadMasks masks = head_masks(options);
    Mat Z = trial_prompt(options, trial, trial.query);
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

// True values and features; `centred` (average reward): minus their means, since errors count up to a constant.
struct Truth {
    Vec weight;  // d(s)
    Vec value;
    Mat features;  // d x m
    bool centred = false;

    double error(Vec predicted) const {
        if (centred) predicted = predicted.cwisePlus(-weight.dot(predicted));
        const Vec off = predicted - value;
        return weight.dot(off.cwiseProduct(off));
    }
};

Truth truth_of(const ConstructionOptions& options, const Mrp& mrp) {
    Truth truth;
    truth.weight = stationary_distribution(mrp);
    truth.features = mrp.features;
    truth.centred = has_two_heads(options);
    truth.value = truth.centred ? differential_value(mrp, truth.weight) : true_value(mrp, options.gamma);
    if (truth.centred) {
        const Vec mean = mrp.features * truth.weight;
        for (Index s = 0; s < truth.features.cols(); ++s) truth.features.col(s) -= mean;
    }
    return truth;
}

double contraction_of(const ConstructionOptions& options, const ConstructionTrial& trial, const Mat& A) {
    const bool same =
        options.preconditioner == Preconditioner::step_size || options.preconditioner == Preconditioner::whitened;
    if (!same || trial.C.empty()) return kMissing;
    return spectral_radius(Mat::Identity(A.rows(), A.cols()) - trial.C[0] * A);
}

// A head's P, which includes its part of W if there are two heads, and its Gram matrix Z M Z'.
struct Head {
    Mat P;
    Mat gram;
};

// The values of `queries` (D x count) after each layer: minus their last row.
std::vector<Vec> query_values(const ConstructionOptions& options, const ConstructionTrial& trial, const Mat& Z,
                              Mat queries) {
    const HeadMasks masks = head_masks(options);
    const auto rows = Z.rows();
    std::vector<Head> heads = {{{}, Z * masks.memory * Z.transpose()}};
    if (has_two_heads(options)) heads.push_back({{}, Z * masks.reward * Z.transpose()});
    std::vector<Vec> values = {Vec::Zero(queries.cols())};
    for (int l = 0; l < options.layers; ++l) {
        const LayerMatrices layer = layer_matrices(options, trial, l);
        heads[0].P = has_two_heads(options) ? layer.heads.W.rightCols(rows) * layer.heads.P_memory : layer.single.P;
        if (has_two_heads(options)) heads[1].P = layer.heads.W.leftCols(rows) * layer.heads.P_reward;
        const Mat& Q = has_two_heads(options) ? layer.heads.Q : layer.single.Q;
        Mat T = Mat::Identity(rows, rows);
        for (const Head& head : heads) T += head.P * head.gram * Q / options.n;
        for (Head& head : heads) head.gram = T * head.gram * T.transpose();
        queries = T * queries;
        values.push_back(Vec::Zero(queries.cols()) - queries.bottomRows(1).transpose());
    }
    return values;
}

}  // namespace

ConstructionTrial draw_trial(const ConstructionOptions& options, uint64_t seed, uint32_t number) {
    ConstructionTrial trial;
    draw_mrp({.num_states = options.num_states,
              .d = options.d,
              .gamma = options.gamma,
              .representable = options.representable},
             seed, number, trial.mrp);
    Stream stream(seed, Purpose::trajectory, number);
    trial.context = transitions_along(trial.mrp, has_two_heads(options) ? 1.0 : options.gamma,
                                      draw_path(trial.mrp, options.n, stream));
    trial.query = trial.mrp.features.col(static_cast<int>(stream.uniform() * options.num_states));
    for (int l = 0; l < options.layers; ++l) trial.C.push_back(draw_preconditioner(options, trial.context, l, stream));
    return trial;
}

LayerMatrices layer_matrices(const ConstructionOptions& options, const ConstructionTrial& trial, int layer) {
    Mat C = trial.C[layer];
    if (options.flaw == Flaw::transposed) C = C.transpose();
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

LayerDifferences construction_difference(const ConstructionOptions& options, const ConstructionTrial& trial) {
    const std::vector<Vec> w = batch_iterates(trial.context, algorithm_update(options, trial), trial.C, options.layers);
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

std::vector<Vec> construction_values(const ConstructionOptions& options, const ConstructionTrial& trial) {
    const Mat& features = trial.mrp.features;
    const Mat Z = trial_prompt(options, trial, trial.query);
    if (options.flaw != Flaw::mask) {  // the context is independent of the query: all states at once
        Mat queries = Mat::Zero(Z.rows(), features.cols());
        queries.topRows(options.d) = features;
        return query_values(options, trial, Z, queries);
    }
    std::vector<Vec> values(options.layers + 1, Vec(features.cols()));
    for (Index s = 0; s < features.cols(); ++s) {
        const Mat own = trial_prompt(options, trial, features.col(s));
        const auto of_state = query_values(options, trial, own, own.rightCols(1));
        for (size_t l = 0; l < values.size(); ++l) values[l][s] = of_state[l][0];
    }
    return values;
}

LayerErrors construction_errors(const ConstructionOptions& options, const ConstructionTrial& trial) {
    const Truth truth = truth_of(options, trial.mrp);
    const BatchUpdate update = algorithm_update(options, trial);
    const BatchSystem system = batch_system(trial.context, update);
    LayerErrors errors;
    for (const Vec& values : construction_values(options, trial)) errors.transformer.push_back(truth.error(values));
    for (const Vec& w : batch_iterates(trial.context, update, trial.C, options.layers))
        errors.algorithm.push_back(truth.error(truth.features.transpose() * w));
    const auto fixed_point = solve_if_regular(system.A, system.b);
    errors.fixed_point = fixed_point ? truth.error(truth.features.transpose() * *fixed_point) : kMissing;
    const Mat weighted = truth.features * truth.weight.asDiagonal();
    const Vec best = least_norm_solution(weighted * truth.features.transpose(), weighted * truth.value);
    errors.best_linear = truth.error(truth.features.transpose() * best);
    errors.zero = errors.algorithm.front();
    errors.contraction = contraction_of(options, trial, system.A);
    return errors;
}

std::optional<int> settled_layer(const std::vector<double>& errors, double limit, double tolerance) {
    if (errors.empty()) return {};
    const double allowed = tolerance * std::abs(errors.front() - limit);
    size_t first = errors.size();
    while (first > 0 && std::abs(errors[first - 1] - limit) <= allowed) --first;
    if (first == errors.size()) return {};
    return static_cast<int>(first);
}

}  // namespace emergence
