#include "core/measures/softmax_td_difference.h"

#include <algorithm>
#include <cmath>

#include "core/algorithms/weighted_softmax_td.h"
#include "core/base/rng.h"
#include "core/measures/trial_differences.h"
#include "core/tasks/task.h"

namespace emergence {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

StateSequence draw_sequence(const SoftmaxDifferenceOptions& options, uint64_t seed, uint32_t trial) {
    Mrp mrp;
    draw_mrp(
        {.num_states = options.num_states, .d = options.d, .gamma = options.gamma, .representable = true},
        seed, trial, mrp);
    Stream stream(seed, Purpose::trajectory, trial);
    StateSampler sampler;
    sampler.reset(mrp);
    StateSequence sequence{MatrixXd(options.d, options.n + 1), VectorXd(options.n)};
    int state = sampler.first(stream.uniform());
    for (int k = 0; k <= options.n; ++k) {
        sequence.features.col(k) = mrp.features.col(state);
        if (k < options.n) sequence.rewards[k] = mrp.reward[state];
        state = sampler.next(state, stream.uniform());
    }
    return sequence;
}

// The kernel as a function of two states' features, independent of Z and Q.
Similarity similarity_of(ScoreKernel kernel) {
    switch (kernel) {
        case ScoreKernel::relu:
            return [](const VectorXd& a, const VectorXd& b) { return std::max(0.0, a.dot(b)); };
        case ScoreKernel::elu:
            return [](const VectorXd& a, const VectorXd& b) {
                const double s = a.dot(b);
                return s > 0 ? s : std::exp(s) - 1.0;
            };
        case ScoreKernel::rbf:
            return
                [](const VectorXd& a, const VectorXd& b) { return std::exp(-0.5 * (a - b).squaredNorm()); };
        case ScoreKernel::softmax:
            break;
    }
    return [](const VectorXd& a, const VectorXd& b) { return std::exp(a.dot(b)); };
}

}  // namespace

SoftmaxDifferences softmax_td_difference(const SoftmaxDifferenceOptions& options, uint64_t seed,
                                         uint32_t trial) {
    const StateSequence context = draw_sequence(options, seed, trial);
    const auto v =
        weighted_softmax_td(context, similarity_of(options.kernel), options.kernel == ScoreKernel::softmax,
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
        size = std::max(size, v[l].cwiseAbs().maxCoeff());
        const double scale = size == 0.0 ? 1.0 : size;
        differences.to_algorithm.push_back((values - v[l]).cwiseAbs().maxCoeff() / scale);
        differences.between_forms.push_back((single - dual).bottomRows(2).cwiseAbs().maxCoeff() / scale);
        if (l + 1 == v.size()) return differences;
        single = temporal_shift_layer(single, weights, gamma, kernel, shift);
        dual = dual_head_layer(dual, weights, gamma, kernel);
    }
}

double largest_softmax_difference(const SoftmaxDifferenceOptions& options, uint64_t seed, int trials) {
    return largest_difference_in(trials, [&](uint32_t trial) {
        SoftmaxDifferences found = softmax_td_difference(options, seed, trial);
        std::vector<double>& both = found.to_algorithm;
        both.insert(both.end(), found.between_forms.begin(), found.between_forms.end());
        return both;
    });
}

double least_softmax_difference(const SoftmaxDifferenceOptions& options, uint64_t seed, int trials) {
    return least_difference_in(
        trials, [&](uint32_t trial) { return softmax_td_difference(options, seed, trial).to_algorithm; });
}

}  // namespace emergence
