#include "core/optim/lbfgs.h"

#include <LBFGSpp/Param.h>

#include <LBFGSpp/BFGSMat.h>
#include <LBFGSpp/LineSearchBracketing.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace emergence {
namespace {

// Replaces a loss that is not finite, so that the line search bisects away from it.
constexpr double kTooHigh = 1e250;

LBFGSpp::LBFGSParam<double> line_search_options(const LbfgsOptions& options) {
    LBFGSpp::LBFGSParam<double> param;
    param.m = options.memory;
    param.max_linesearch = options.max_evaluations;
    param.linesearch = LBFGSpp::LBFGS_LINESEARCH_BACKTRACKING_WOLFE;
    return param;
}

}  // namespace

Lbfgs::Lbfgs(const LbfgsOptions& options, Eigen::VectorXd start) : options_(options), x_(std::move(start)) {
    gradient_.setZero(x_.size());
}

void Lbfgs::evaluate(const Objective& objective) {
    if (evaluated_) return;
    loss_ = objective(x_, gradient_);
    evaluated_ = true;
    diverged_ = !std::isfinite(loss_) || !gradient_.allFinite();
}

// Line search along -H g. Returns whether it found a lower loss.
bool Lbfgs::search(const Objective& objective) {
    LBFGSpp::BFGSMat<double> inverse_hessian;
    inverse_hessian.reset(static_cast<int>(x_.size()), options_.memory);
    for (const Pair& pair : memory_) inverse_hessian.add_correction(pair.s, pair.y);
    Eigen::VectorXd direction;
    inverse_hessian.apply_Hv(gradient_, -1.0, direction);
    // Without a memory the scale is unknown, so the first trial step has length 1 at most.
    double step = memory_.empty() ? std::min(1.0, 1.0 / gradient_.norm()) : 1.0;

    Eigen::VectorXd next = x_, next_gradient = gradient_;
    double next_loss = loss_;
    auto guarded = [&objective](const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
        const double loss = objective(x, gradient);
        if (std::isfinite(loss) && loss < kTooHigh && gradient.allFinite()) return loss;
        gradient.setZero();
        return kTooHigh;
    };
    try {
        LBFGSpp::LineSearchBracketing<double>::LineSearch(guarded, next_loss, next, next_gradient, step,
                                                          direction, x_, line_search_options(options_));
    } catch (const std::logic_error&) {  // by rounding, not a direction of descent
        return false;
    } catch (const std::runtime_error&) {  // the interval shrank to a point
        if (!(next_loss < loss_)) return false;
    }
    if (!(next_loss < loss_)) return false;
    Pair pair{next - x_, next_gradient - gradient_};
    // Positive curvature keeps the approximate Hessian positive definite.
    if (pair.s.dot(pair.y) > 1e-14 * pair.s.norm() * pair.y.norm()) memory_.push_back(std::move(pair));
    if (memory_.size() > static_cast<size_t>(options_.memory)) memory_.erase(memory_.begin());
    x_ = std::move(next);
    gradient_ = std::move(next_gradient);
    loss_ = next_loss;
    return true;
}

void Lbfgs::iterate(const Objective& objective) {
    evaluate(objective);
    if (converged_ || diverged_) return;
    if (gradient_.norm() <= options_.gradient_tolerance * std::max(1.0, x_.norm())) {
        converged_ = true;
        return;
    }
    if (search(objective)) return;
    if (!memory_.empty()) {
        memory_.clear();
        if (search(objective)) return;
    }
    converged_ = true;
}

void Lbfgs::restore(Eigen::VectorXd x, std::vector<Pair> memory, bool converged) {
    x_ = std::move(x);
    memory_ = std::move(memory);
    converged_ = converged;
    evaluated_ = diverged_ = false;
    gradient_.setZero(x_.size());
}

}  // namespace emergence
