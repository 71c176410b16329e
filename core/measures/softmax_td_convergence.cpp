#include "core/measures/softmax_td_convergence.h"

#include <limits>

#include "core/base/linear_algebra.h"
#include "core/base/rng.h"
#include "core/tasks/task.h"

namespace emergence {

using Eigen::MatrixXd;
using Eigen::VectorXd;

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

MatrixXd SoftmaxConvergence::layer_map(size_t index) const {
    const SoftmaxTdOperators& of = operators_[index];
    return MatrixXd::Identity(of.M.rows(), of.M.cols()) - of.M + options_.gamma * of.P;
}

void SoftmaxConvergence::apply_layer() {
    for (size_t i = 0; i < values_.size(); ++i)
        values_[i] = softmax_td_step(operators_[i], mrp_.reward, values_[i], options_.gamma, options_.step);
}

}  // namespace emergence
