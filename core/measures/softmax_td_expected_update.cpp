#include "core/measures/softmax_td_expected_update.h"

#include "core/algorithms/weighted_softmax_td.h"
#include "core/base/rng.h"
#include "core/tasks/task.h"

namespace emergence {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kGradientStep = 1e-5;  // of central differences
// The margin is judged at the kernel of the construction, also if `sharpness` is another.
constexpr double kConstructedSharpness = 8.0;

// The parameters: the weights of reward, next value and current value, then the scores.
VectorXd looped_parameters(const ExpectedUpdateOptions& options) {
    const int m = options.num_states;
    VectorXd parameters(3 + m * m);
    parameters.head(3) << 1.0, 1.0, options.current_value;
    parameters.tail(m * m) = (options.sharpness * MatrixXd::Identity(m, m)).reshaped();
    return parameters;
}

// The values of all states after every layer asked for, m x layers.
MatrixXd looped_values(const VectorXd& parameters, const MatrixXd& counts, const VectorXd& rewards,
                       double gamma, const std::vector<int>& layers) {
    const auto m = counts.rows();
    const SoftmaxTdOperators of = softmax_td_operators(counts, parameters.tail(m * m).reshaped(m, m));
    const VectorXd seen = parameters[0] * (of.M * rewards);
    const MatrixXd map = MatrixXd::Identity(m, m) + gamma * parameters[1] * of.P + parameters[2] * of.M;
    MatrixXd values(m, static_cast<Eigen::Index>(layers.size()));
    VectorXd v = VectorXd::Zero(m);
    int layer = 0;
    for (size_t k = 0; k < layers.size(); ++k) {
        for (; layer < layers[k]; ++layer) v = seen + map * v;
        values.col(static_cast<Eigen::Index>(k)) = v;
    }
    return values;
}

// One norm per number of layers.
VectorXd update_norms(const ExpectedUpdateOptions& options, const Mrp& mrp, const VectorXd& stationary,
                      const MatrixXd& counts) {
    const auto depths = static_cast<Eigen::Index>(options.layers.size());
    const VectorXd at = looped_parameters(options);
    const auto values = [&](const VectorXd& parameters) {
        return looped_values(parameters, counts, mrp.reward, options.gamma, options.layers);
    };
    const MatrixXd v = values(at);
    const MatrixXd errors = (mrp.reward.replicate(1, depths) + options.gamma * mrp.transition * v - v)
                                .cwiseProduct(stationary.replicate(1, depths));
    VectorXd squares = VectorXd::Zero(depths);
    for (Eigen::Index i = 0; i < at.size(); ++i) {
        VectorXd above = at, below = at;
        above[i] += kGradientStep;
        below[i] -= kGradientStep;
        const MatrixXd gradient = (values(above) - values(below)) / (2 * kGradientStep);
        squares += gradient.cwiseProduct(errors).colwise().sum().transpose().cwiseAbs2();
    }
    return squares.cwiseSqrt();
}

}  // namespace

std::optional<MatrixXd> norm_of_expected_update(const ExpectedUpdateOptions& options, uint64_t seed,
                                                uint32_t chain) {
    const int m = options.num_states;
    Mrp mrp;
    draw_mrp({.num_states = m, .d = 4, .gamma = options.gamma, .representable = true}, seed, chain, mrp);
    const VectorXd stationary = stationary_distribution(mrp);
    const MatrixXd kernel = state_kernel(stationary, kConstructedSharpness * MatrixXd::Identity(m, m));
    if (diagonality_margin(kernel, options.gamma) <= 0) return std::nullopt;

    StateSampler sampler;
    sampler.reset(mrp);
    Stream stream(seed, Purpose::trajectory, chain);
    MatrixXd counts = MatrixXd::Zero(m, m);
    MatrixXd norms(static_cast<Eigen::Index>(options.lengths.size()),
                   static_cast<Eigen::Index>(options.layers.size()));
    int state = sampler.first(stream.uniform()), taken = 0;
    for (Eigen::Index i = 0; i < norms.rows(); ++i) {
        for (; taken < options.lengths[i]; ++taken) {
            const int next = sampler.next(state, stream.uniform());
            counts(state, next) += 1;
            state = next;
        }
        norms.row(i) = update_norms(options, mrp, stationary, counts).transpose();
    }
    return norms;
}

}  // namespace emergence
