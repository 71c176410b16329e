#include "core/optim/descent.h"

#include <LBFGSpp/Param.h>

#include <LBFGSpp/BFGSMat.h>
#include <LBFGSpp/LineSearchBracketing.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/base/array.h"
#include "core/base/eigen.h"
#include "core/base/instruction_set.h"
#include "core/base/linear_algebra.h"
#include "core/optim/adam.h"

namespace emergence {
namespace {

// Replaces a loss that is not finite, so that the line search bisects away from it.
constexpr double kTooHigh = 1e250;
constexpr int kMostEvaluations = 30;  // per line search

// The loss at x, and -grad L there.
double slope_at(const Objective& objective, const Vec& x, Vec& slope) {
    slope.resize(x.size());
    const double loss = objective(x, slope);
    slope = -slope;
    return loss;
}

}  // namespace

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
    for (Index k = 0; k < memory_.cols(); k += 2)
        inverse_hessian.add_correction(eigen(memory_).col(k), eigen(memory_).col(k + 1));
    Eigen::VectorXd direction;
    inverse_hessian.apply_Hv(eigen(gradient_), -1.0, direction);
    // Without a memory the scale is unknown, so the first trial step has length 1 at most.
    double step = memory_.cols() == 0 ? std::min(1.0, 1.0 / gradient_.norm()) : 1.0;

    // LBFGS++ works on Eigen's vectors, the objective on Vec.
    const Eigen::VectorXd start = eigen(x_);
    Eigen::VectorXd x = start, gradient = eigen(gradient_);
    double next_loss = loss_;
    auto guarded = [&objective, own = Vec(x_.size())](const Eigen::VectorXd& at, Eigen::VectorXd& slope) mutable {
        const double loss = objective(mat_of(at), own);
        const bool good = std::isfinite(loss) && loss < kTooHigh && own.allFinite();
        if (!good) own.setZero();
        slope = eigen(own);
        return good ? loss : kTooHigh;
    };
    LBFGSpp::LBFGSParam<double> param;
    param.m = options_.memory;
    param.max_linesearch = kMostEvaluations;
    param.linesearch = LBFGSpp::LBFGS_LINESEARCH_BACKTRACKING_WOLFE;
    try {
        LBFGSpp::LineSearchBracketing<double>::LineSearch(guarded, next_loss, x, gradient, step, direction, start,
                                                          param);
    } catch (const std::logic_error&) {  // by rounding, not a direction of descent
        return false;
    } catch (const std::runtime_error&) {  // the interval shrank to a point
        if (!(next_loss < loss_)) return false;
    }
    if (!(next_loss < loss_)) return false;
    const Vec next = mat_of(x), next_gradient = mat_of(gradient);
    const Vec s = next - x_, y = next_gradient - gradient_;
    // Positive curvature keeps the approximate Hessian positive definite.
    if (s.dot(y) > 1e-14 * s.norm() * y.norm()) {
        const Index kept = std::min<Index>(memory_.cols(), 2 * (options_.memory - 1));
        Mat memory(x_.size(), kept + 2);
        memory.leftCols(kept) = memory_.rightCols(kept);
        memory.col(kept) = s;
        memory.col(kept + 1) = y;
        memory_ = std::move(memory);
    }
    x_ = next;
    gradient_ = next_gradient;
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
    if (memory_.cols() > 0) {
        memory_.resize(x_.size(), 0);
        if (search(objective)) return;
    }
    converged_ = true;
}

void Lbfgs::restore(Vec x, Mat memory, bool converged) {
    x_ = std::move(x);
    memory_ = std::move(memory);
    converged_ = converged;
    evaluated_ = diverged_ = false;
    gradient_ = Vec(x_.size());
}

GradientFlow::GradientFlow(Vec start, double tolerance)
    : tolerance_(tolerance), x_(std::move(start)), loss_(kMissing) {}

void GradientFlow::restore(Vec x, double time, double next_step, bool failed) {
    x_ = std::move(x);
    time_ = time;
    next_step_ = next_step;
    loss_ = kMissing;
    begun_ = false;
    failed_ = failed;
}

// Sets error_ and, if the step is accurate enough, moves x, loss and slope. With f = -grad L (Bogacki and Shampine):
//
//     k1 = f(x),   k2 = f(x + h/2 k1),   k3 = f(x + 3h/4 k2)
//     next = x + h/9 (2 k1 + 3 k2 + 4 k3),   k4 = f(next)
//     error = h |-5/72 k1 + 1/12 k2 + 1/9 k3 - 1/8 k4|
bool GradientFlow::try_step(const Objective& objective, double step) {
    place_ = x_ + step / 2 * slope_;
    slope_at(objective, place_, second_);
    place_ = x_ + 3 * step / 4 * second_;
    slope_at(objective, place_, third_);
    place_ = x_ + step / 9 * (2 * slope_ + 3 * second_ + 4 * third_);
    const double loss = slope_at(objective, place_, last_);
    const double way = (place_ - x_).norm();
    const double error = step * (-5.0 / 72 * slope_ + 1.0 / 12 * second_ + 1.0 / 9 * third_ - 1.0 / 8 * last_).norm();
    if (!std::isfinite(loss) || !std::isfinite(error)) {
        error_ = 1e6;
        return false;
    }
    error_ = way > 0.0 ? error / (tolerance_ * way) : 0.0;
    if (error_ > 1.0) return false;
    x_ = place_;
    std::swap(slope_, last_);
    loss_ = loss;
    return true;
}

void GradientFlow::advance(const Objective& objective, double time) {
    constexpr double kLeastChange = 0.2, kMostChange = 4.0, kCaution = 0.9;
    constexpr double kFirstShare = 1e-3;  // length of the first step, relative to |x|
    constexpr double kShortest = 1e-14;   // shortest step, relative to max(time, 1)
    if (!begun_ && !failed_) {
        begun_ = true;
        loss_ = slope_at(objective, x_, slope_);
        failed_ = !std::isfinite(loss_) || !slope_.allFinite();
        const double length = slope_.norm();
        if (!(next_step_ > 0.0)) next_step_ = length > 0.0 ? kFirstShare * std::max(x_.norm(), 1e-3) / length : 1.0;
    }
    while (!failed_ && time_ < time) {
        const bool ends = time_ + next_step_ >= time;
        const double step = ends ? time - time_ : next_step_;
        const bool taken = try_step(objective, step);
        // The error relative to the distance is proportional to the square of the step.
        const double change = std::clamp(kCaution / std::sqrt(std::max(error_, 1e-12)), kLeastChange, kMostChange);
        if (!taken) {
            next_step_ = step * std::min(change, 0.5);
            failed_ = next_step_ < kShortest * std::max(time_, 1.0);
            continue;
        }
        time_ = ends ? time : time_ + step;
        // A step cut short by the end time must not shorten the next one.
        next_step_ = ends ? std::max(next_step_, step * change) : step * change;
    }
}

bool LeastSquares::step(const Linearise& linearise, const Loss& loss) {
    constexpr double kLeastDamping = 1e-15, kMostDamping = 1e9, kFactor = 10;
    // Keeps the system regular for a parameter without curvature, which then does not move.
    constexpr double kLeastCurvature = 1e-300;
    const NormalEquations at = linearise(x);
    if (!std::isfinite(at.loss) || !at.gradient.allFinite()) return false;
    for (; damping <= kMostDamping; damping *= kFactor) {
        Mat damped = at.curvature;
        damped.diagonal() = damped.diagonal() * (1.0 + damping) + Vec::Constant(x.size(), kLeastCurvature);
        const Vec next = x - solve_positive(damped, at.gradient);
        if (!next.allFinite()) continue;
        const double there = loss(next);
        if (!(there < at.loss)) continue;
        x = next;
        damping = std::max(kLeastDamping, damping / kFactor);
        return true;
    }
    damping = kFirstDamping;
    return false;
}

double line_minimum(const std::function<double(double)>& value, double low, double high, double pace, int cuts) {
    constexpr double kGolden = 0.6180339887498949, kInfinity = std::numeric_limits<double>::infinity();
    const auto bounded = [&](double at) {
        const double found = value(at);
        return std::isfinite(found) ? found : kInfinity;
    };
    double best = low, least = kInfinity;
    for (double at = low; at <= high; at += pace)
        if (const double found = bounded(at); found < least) {
            least = found;
            best = at;
        }
    double from = std::max(low, best - pace), to = std::min(high, best + pace);
    double a = to - kGolden * (to - from), b = from + kGolden * (to - from);
    double at_a = bounded(a), at_b = bounded(b);
    for (int i = 0; i < cuts; ++i) {
        if (at_a < at_b) {
            to = b;
            b = std::exchange(a, b - kGolden * (b - from));
            at_b = std::exchange(at_a, bounded(a));
        } else {
            from = a;
            a = std::exchange(b, a + kGolden * (to - a));
            at_a = std::exchange(at_b, bounded(b));
        }
    }
    return (from + to) / 2;
}

// Each compiled instruction set has its own, see adam_kernels.cpp.
EMERGENCE_DECLARE_ON_LANES(template <class T> void adam_steps(const AdamRates<T>&, int count, T* parameters,
                                                              const T* gradient, T* first, T* second);)

template <class T>
void Adam<T>::step(T* parameters, const T* gradient, const AdamOptions& options) {
    ++steps;
    // Bias corrections in double: in float the first 1 - 0.999^t lose half of their digits.
    const double correction1 = 1.0 - std::pow(options.beta1, static_cast<double>(steps));
    const double correction2 = 1.0 - std::pow(options.beta2, static_cast<double>(steps));
    AdamRates<T> rates{};
    rates.rate = static_cast<T>(options.learning_rate / correction1);
    rates.root = static_cast<T>(1.0 / std::sqrt(correction2));
    rates.b1 = static_cast<T>(options.beta1);
    rates.b2 = static_cast<T>(options.beta2);
    rates.rest1 = T(1) - rates.b1;
    rates.rest2 = T(1) - rates.b2;
    rates.epsilon = static_cast<T>(options.epsilon);
    rates.decay = static_cast<T>(options.decoupled ? 0.0 : options.weight_decay);
    rates.keep = static_cast<T>(options.decoupled ? 1.0 - options.learning_rate * options.weight_decay : 1.0);
    if (rates.decay > T(0)) rates.least = std::numeric_limits<T>::min() / (rates.rest1 * rates.decay);
    EMERGENCE_ON_LANES(instruction_set(), adam_steps(rates, static_cast<int>(first_moment.size()), parameters, gradient,
                                                     first_moment.data(), second_moment.data()));
}

template <class T>
void Adam<T>::state(Archive& archive) {
    archive("first_moment", first_moment);
    // The square of a huge gradient is infinite: its weight stands still from then on, and the run goes on.
    Array squares{{second_moment.size()}, second_moment};
    archive("second_moment", squares);
    archive("steps", steps);
    archive.require(steps >= 0, "steps", "is negative");
    const auto* stored = std::get_if<std::vector<T>>(&squares.values);
    archive.require(stored != nullptr && stored->size() == second_moment.size(), "second_moment",
                    "is of another size or type");
    archive.require(std::all_of(stored->begin(), stored->end(), [](T v) { return v >= T(0); }), "second_moment",
                    "has an entry that is negative or not a number");
    if (archive.loads()) second_moment = *stored;
}

template struct Adam<float>;
template struct Adam<double>;

}  // namespace emergence
