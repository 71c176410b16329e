#include "core/measures/softmax_td_difference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/algorithms/context_algorithms.h"
#include "core/base/linear_algebra.h"
#include "core/base/rng.h"
#include "core/base/statistics.h"
#include "core/tasks/task.h"

namespace emergence {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

StateSequence draw_sequence(const SoftmaxDifferenceOptions& options, uint64_t seed, uint32_t trial) {
    Mrp mrp;
    draw_mrp({.num_states = options.num_states, .d = options.d, .gamma = options.gamma, .representable = true}, seed,
             trial, mrp);
    Stream stream(seed, Purpose::trajectory, trial);
    const std::vector<int> path = draw_path(mrp, options.n, stream);
    return {mrp.features(Eigen::all, path), mrp.reward(path).head(options.n)};
}

// The kernel as a function of two states' features, independent of Z and Q.
Similarity similarity_of(ScoreKernel kernel) {
    const auto of_product = [](double (*function)(double)) {
        return [function](const VectorXd& a, const VectorXd& b) { return function(a.dot(b)); };
    };
    if (kernel == ScoreKernel::relu) return of_product([](double s) { return larger(0.0, s); });
    if (kernel == ScoreKernel::elu) return of_product([](double s) { return s > 0 ? s : std::exp(s) - 1.0; });
    if (kernel == ScoreKernel::softmax) return of_product([](double s) { return std::exp(s); });
    return [](const VectorXd& a, const VectorXd& b) { return std::exp(-0.5 * (a - b).squaredNorm()); };
}

}  // namespace

SoftmaxDifferences softmax_td_difference(const SoftmaxDifferenceOptions& options, uint64_t seed, uint32_t trial) {
    const StateSequence context = draw_sequence(options, seed, trial);
    const auto v = weighted_softmax_td(context, similarity_of(options.kernel), options.kernel == ScoreKernel::softmax,
                                       options.gamma, options.step, options.layers);
    const SoftmaxTdWeights weights = softmax_td_construction(options.d, options.step);
    const KernelOptions kernel{.kernel = options.kernel, .mask_query = options.flaw != SoftmaxFlaw::mask};
    const double gamma = options.gamma * (options.flaw == SoftmaxFlaw::gamma ? 1.0 + 1e-6 : 1.0);
    const bool shift = options.flaw != SoftmaxFlaw::shift;
    MatrixXd single = softmax_td_prompt(context.features, context.rewards), dual = single;
    SoftmaxDifferences differences;
    double size = 0.0;
    for (size_t l = 0;; ++l) {
        const VectorXd values = single.bottomRows(1).transpose();
        size = larger(size, v[l].cwiseAbs().maxCoeff<Eigen::PropagateNaN>());
        const double scale = size == 0.0 ? 1.0 : size;
        differences.to_algorithm.push_back((values - v[l]).cwiseAbs().maxCoeff<Eigen::PropagateNaN>() / scale);
        differences.between_forms.push_back((single - dual).bottomRows(2).cwiseAbs().maxCoeff<Eigen::PropagateNaN>() /
                                            scale);
        if (l + 1 == v.size()) return differences;
        single = temporal_shift_layer(single, weights, gamma, kernel, shift);
        dual = dual_head_layer(dual, weights, gamma, kernel);
    }
}

SoftmaxConvergence::SoftmaxConvergence(const SoftmaxConvergenceOptions& options, uint64_t seed) : options_(options) {
    const int m = options.num_states;
    draw_mrp({.num_states = m, .d = options.d, .gamma = options.gamma, .representable = true}, seed, 0, mrp_);
    true_value_ = ::emergence::true_value(mrp_, options.gamma);
    const MatrixXd scores = options.sharpness * (options.one_hot ? MatrixXd::Identity(m, m)
                                                                 : MatrixXd(mrp_.features.transpose() * mrp_.features));
    population_ = state_kernel(stationary_distribution(mrp_), scores);

    StateSampler sampler;
    sampler.reset(mrp_);
    Stream stream(seed, Purpose::trajectory, 0);
    MatrixXd counts = MatrixXd::Zero(m, m);
    int state = sampler.first(stream.uniform()), taken = 0;
    for (const int length : options.lengths) {
        for (; taken < length; ++taken) {
            const int next = sampler.next(state, stream.uniform());
            counts(state, next) += 1;
            state = next;
        }
        operators_.push_back(softmax_td_operators(counts, scores));
        values_.push_back(VectorXd::Zero(m));
        const SoftmaxTdOperators& of = operators_.back();
        const auto fixed_point = solve_if_regular(of.M - options.gamma * of.P, of.M * mrp_.reward);
        floors_.push_back(fixed_point ? error_of(*fixed_point) : std::numeric_limits<double>::quiet_NaN());
    }
}

std::vector<double> SoftmaxConvergence::errors() const {
    std::vector<double> errors;
    for (const VectorXd& v : values_) errors.push_back(error_of(v));
    return errors;
}

void SoftmaxConvergence::apply_layer() {
    for (size_t i = 0; i < values_.size(); ++i)
        values_[i] = softmax_td_step(operators_[i], mrp_.reward, values_[i], options_.gamma, options_.step);
}

}  // namespace emergence
