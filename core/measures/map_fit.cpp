#include "core/measures/map_fit.h"

#include <algorithm>
#include <cmath>

#include "core/base/linear_algebra.h"
#include "core/base/statistics.h"
#include "core/measures/algorithm_map.h"
#include "core/measures/lane_vectors.h"
#include "core/measures/map_sums.h"

namespace emergence {

using Eigen::Index;
using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

namespace {

size_t place_in_lanes(int lane, int entries, int entry) {
    return static_cast<size_t>((lane / kContextsInGroup * entries + entry) * kContextsInGroup +
                               lane % kContextsInGroup);
}

std::vector<double> flat_parameters(const VectorXd& x) { return {x.begin(), x.end()}; }

// The mean of rbar_i phi_i over transitions, rbar_i the mean of the rewards so far.
VectorXd mean_reward_moments(const LineUpPrompts& prompts, int i) {
    VectorXd sum = VectorXd::Zero(prompts.d());
    double rewards = 0;
    for (int t = 0; t < prompts.context_length(); ++t) {
        rewards += prompts.state(i, t, prompts.d());
        for (int k = 0; k < prompts.d(); ++k) sum[k] += rewards / (t + 1) * prompts.state(i, t, k);
    }
    return sum / prompts.context_length();
}

}  // namespace

MapPrompts::MapPrompts(const LineUpPrompts& prompts, MapAxis axis)
    : prompts_(prompts),
      groups_((prompts.first_lane() + prompts.size() + kContextsInGroup - 1) / kContextsInGroup),
      axis_(axis) {
    const int d = prompts.d(), moments = map_moments_size(d);
    moments_.resize(static_cast<size_t>(groups_ * moments * kContextsInGroup));
    weights_.resize(static_cast<size_t>(groups_ * d * d * kContextsInGroup));
    for (int i = 0; i < prompts.size(); ++i) {
        const int lane = prompts.first_lane() + i;
        std::vector<double> own = map_moments(prompts.context(i));
        if (axis == MapAxis::mean_reward) {
            const VectorXd in_place_of_q = mean_reward_moments(prompts, i);
            std::copy(in_place_of_q.begin(), in_place_of_q.end(), own.end() - d);
        }
        for (int k = 0; k < moments; ++k) moments_[place_in_lanes(lane, moments, k)] = own[static_cast<size_t>(k)];
        for (int a = 0; a < d; ++a)
            for (int b = 0; b < d; ++b) weights_[place_in_lanes(lane, d * d, a * d + b)] = prompts.moments(i)(a, b);
    }
    if (axis != MapAxis::trace) return;
    const int times = prompts.context_length() + 1;
    states_.resize(static_cast<size_t>(groups_ * times * (d + 1) * kContextsInGroup));
    for (int i = 0; i < prompts.size(); ++i)
        for (int t = 0; t < times; ++t)
            for (int k = 0; k <= d; ++k)
                states_[place_in_lanes(prompts.first_lane() + i, times * (d + 1), t * (d + 1) + k)] =
                    prompts.state(i, t, k);
}

std::vector<double> MapPrompts::in_lanes(const std::vector<VectorXd>& weights) const {
    const int d = prompts_.d();
    std::vector<double> lanes(static_cast<size_t>(groups_ * d * kContextsInGroup));
    for (int i = 0; i < prompts_.size(); ++i)
        for (int k = 0; k < d; ++k)
            lanes[place_in_lanes(prompts_.first_lane() + i, d, k)] = weights[static_cast<size_t>(i)][k];
    return lanes;
}

std::vector<double> MapPrompts::network_weights(const LinearAttentionView& network) const {
    const std::vector<float> computed = prompts_.network_lanes(network);
    std::vector<double> lanes(computed.size());  // zero beside the prompts
    for (int i = 0; i < prompts_.size(); ++i)
        for (int k = 0; k < prompts_.d(); ++k) {
            const size_t at = place_in_lanes(prompts_.first_lane() + i, prompts_.d(), k);
            lanes[at] = static_cast<double>(computed[at]);
        }
    return lanes;
}

MapTarget::MapTarget(const MapPrompts& prompts, std::vector<double> wanted)
    : bank_(prompts.bank()), wanted_(std::move(wanted)), mean_square_(loss(VectorXd::Zero(2))) {}

MapTarget MapTarget::first_groups(int groups) const {
    MapTarget few = *this;
    few.bank_.groups = std::min(groups, bank_.groups);
    few.mean_square_ = few.loss(VectorXd::Zero(2));
    return few;
}

double MapTarget::loss(const VectorXd& x, MapKind kind) const {
    return map_sums(bank_, wanted_.data(), flat_parameters(x), false, kind).loss;
}

NormalEquations MapTarget::linearise(const VectorXd& x, MatrixXd* scatter, MapKind kind) const {
    const MapSums sums = map_sums(bank_, wanted_.data(), flat_parameters(x), true, kind);
    const auto matrix = [&x](const std::vector<double>& entries) -> MatrixXd {
        return Eigen::Map<const MatrixXd>(entries.data(), x.size(), x.size());
    };
    if (scatter != nullptr) *scatter = matrix(sums.scatter);
    return {sums.loss, matrix(sums.curvature), Eigen::Map<const VectorXd>(sums.gradient.data(), x.size())};
}

VectorXd first_map_point(const MapTarget& target, double beta, double c, int layers, int stride) {
    VectorXd best;
    double least = std::numeric_limits<double>::infinity();
    for (int power = -16; power <= 8; power += stride) {
        VectorXd x(layers + 2);
        x.head(2) << beta, c;
        for (int l = 0; l < layers; ++l)
            x[2 + l] = std::exp2(power / 2.0) * (1.0 + 0.2 * (l - (layers - 1) / 2.0) / layers);
        const double loss = target.loss(x);
        if (best.size() > 0 && !(loss < least)) continue;
        best = x;
        least = loss;
    }
    return best;
}

MapFit fit_map(const MapTarget& target, const VectorXd& start, Index first, int most_steps) {
    const Index free = start.size() - first;
    const auto whole = [&](const VectorXd& x) {
        VectorXd all = start;
        all.tail(free) = x;
        return all;
    };
    const auto loss = [&](const VectorXd& x) { return target.loss(whole(x)); };
    const auto linearise = [&](const VectorXd& x) -> NormalEquations {
        const NormalEquations all = target.linearise(whole(x));
        return {all.loss, all.curvature.bottomRightCorner(free, free), all.gradient.tail(free)};
    };
    LeastSquares squares(start.tail(free));
    MapFit fit;
    while (fit.steps < most_steps && squares.step(linearise, loss)) ++fit.steps;
    fit.x = whole(squares.x());
    fit.loss = target.loss(fit.x);
    return fit;
}

double map_slope(const NormalEquations& at, double mean_square) {
    double slope = 0;
    for (Index k = 0; k < at.gradient.size(); ++k)
        if (at.curvature(k, k) > 0)
            slope = larger(slope, std::abs(at.gradient[k]) / std::sqrt(at.curvature(k, k) * mean_square));
    return slope;
}

MapLeeway map_leeway(const MatrixXd& curvature, double mean_square) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    // How much the share grows with (beta, c) if the step sizes follow: S = H_pp - H_pa H_aa^-1 H_ap.
    const Index rest = curvature.rows() - 2;
    const MatrixXd across = curvature.topRightCorner(2, rest);
    const Matrix2d S = (curvature.topLeftCorner(2, 2) -
                        across * pseudo_inverse(curvature.bottomRightCorner(rest, rest)) * across.transpose()) /
                       mean_square;
    const double half_trace = S.trace() / 2, determinant = S.determinant();
    const double apart = std::sqrt(std::max(0.0, half_trace * half_trace - determinant));
    const double weakest = half_trace - apart, strongest = half_trace + apart;
    MapLeeway leeway;
    if (weakest > kMapSame / (kMapUndetermined * kMapUndetermined)) {
        const Matrix2d inverse_S = S.inverse();
        leeway.reach = (kMapSame * inverse_S.diagonal()).cwiseSqrt();
        leeway.covariance = kMapSame / 4 * inverse_S;
        return leeway;
    }
    // The weakest direction, and what it leaves undetermined.
    const double angle = std::atan2(2 * S(0, 1), S(0, 0) - S(1, 1)) / 2;
    const Vector2d weak(-std::sin(angle), std::cos(angle)), strong(std::cos(angle), std::sin(angle));
    for (int k = 0; k < 2; ++k)
        leeway.reach[k] = std::abs(weak[k]) > 1e-3 || !(strongest > 0)
                              ? kInfinite
                              : std::abs(strong[k]) * std::sqrt(kMapSame / strongest);
    leeway.covariance = leeway.reach.cwiseProduct(leeway.reach).asDiagonal();
    return leeway;
}

MatrixXd bounded_curvature(MatrixXd curvature, const VectorXd& x, double mean_square) {
    const double largest = x.tail(x.size() - 2).cwiseAbs().maxCoeff();
    if (largest > 0) curvature.diagonal().tail(x.size() - 2).array() += kMapSame * mean_square / (largest * largest);
    return curvature;
}

}  // namespace emergence
