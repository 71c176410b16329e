#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/base/linear_algebra.h"
#include "core/base/rng.h"
#include "core/base/statistics.h"
#include "core/measures/algorithm_map.h"
#include "core/measures/map_fit.h"

namespace emergence {
namespace {

using Eigen::Index;
using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// TD(C_l) has many parameters, so it must explain more.
constexpr double kExplainedByMatrices = 0.1;
// A named algorithm that explains nearly as much as the best point is preferred to the point.
constexpr double kNearlyAsMuch = 1.25, kFitRounding = 1e-9;
constexpr int kMatrixSteps = 60;
constexpr int kResamples = 400;

MapPoint point_of(const VectorXd& x) { return {x[0], x[1], x.tail(x.size() - 2)}; }

VectorXd flat(double beta, double c, const VectorXd& alphas) {
    VectorXd x(alphas.size() + 2);
    x << beta, c, alphas;
    return x;
}

double in_moments(const VectorXd& w, const MatrixXd& moments) { return w.dot(moments * w); }

// What is judged prompt by prompt: prompts and the network's weights on them.
struct Target {
    const LineUpPrompts& prompts;
    const std::vector<VectorXd>& wanted;

    const VectorXd& w(int i) const { return wanted[static_cast<size_t>(i)]; }
    // The squared error that a family's weights leave on each prompt.
    template <class Weights>
    std::vector<double> errors(const Weights& weights) const {
        std::vector<double> errors;
        for (int i = 0; i < prompts.size(); ++i)
            errors.push_back(in_moments(weights(prompts.context(i)) - w(i), prompts.moments(i)));
        return errors;
    }
};

// The step size of one step w = alpha r.
VectorXd reward_correlation(const Target& target, int layers) {
    double above = 0, below = 0;
    for (int i = 0; i < target.prompts.size(); ++i) {
        const VectorXd r = target.prompts.context(i).col(2 * target.prompts.d()).head(target.prompts.d());
        const VectorXd weighted_r = target.prompts.moments(i) * r;
        above += weighted_r.dot(target.w(i));
        below += weighted_r.dot(r);
    }
    VectorXd alphas = VectorXd::Zero(layers);
    alphas[0] = below > 0 ? above / below : 0;
    return flat(0, 0, alphas);
}

// What the values say about (beta, c): each coefficient's interval and both's covariance.
void add_intervals(const Target& target, double mean_square, const VectorXd& x, uint64_t seed, MapReading& reading) {
    const MapPoint point = point_of(x);
    const Index size = x.size();
    std::vector<MatrixXd> curvatures;
    std::vector<VectorXd> gradients;
    MatrixXd curvature = MatrixXd::Zero(size, size);
    for (int i = 0; i < target.prompts.size(); ++i) {
        const MatrixXd& context = target.prompts.context(i);
        const MatrixXd J = map_derivatives(context, point);
        const MatrixXd weighted_J = target.prompts.moments(i) * J;
        curvatures.push_back(J.transpose() * weighted_J);
        gradients.push_back(weighted_J.transpose() * (map_weights(context, point) - target.w(i)));
        curvature += curvatures.back();
    }
    const auto [same, covariance] = map_leeway(bounded_curvature(curvature, x, mean_square), mean_square);
    reading.covariance = covariance;
    // Prompts resampled with replacement; one Gauss-Newton step from the fit each.
    Stream stream(seed, Purpose::held_out);
    std::vector<double> moved[2];
    const int prompts = target.prompts.size();
    for (int sample = 0; sample < kResamples; ++sample) {
        MatrixXd H = MatrixXd::Zero(size, size);
        VectorXd g = VectorXd::Zero(size);
        for (int i = 0; i < prompts; ++i) {
            const auto drawn = static_cast<size_t>(stream.uniform() * prompts);
            H += curvatures[drawn];
            g += gradients[drawn];
        }
        const VectorXd step = -least_norm_solution(H, g);
        for (int k = 0; k < 2; ++k) moved[k].push_back(step[k]);
    }
    Matrix2d spread = Matrix2d::Zero();
    for (int sample = 0; sample < kResamples; ++sample) {
        const Vector2d step(moved[0][static_cast<size_t>(sample)], moved[1][static_cast<size_t>(sample)]);
        spread += step * step.transpose() / kResamples;
    }
    reading.covariance += spread;
    for (int k = 0; k < 2; ++k) {
        std::sort(moved[k].begin(), moved[k].end());
        const double low = std::min(0.0, moved[k][kResamples / 40]),
                     high = std::max(0.0, moved[k][kResamples - 1 - kResamples / 40]);
        double below = std::hypot(low, same[k]), above = std::hypot(high, same[k]);
        if (!(below + above < kMapUndetermined)) below = above = kInfinity;
        (k == 0 ? reading.beta : reading.c) = MapInterval{x[k], x[k] - below, x[k] + above};
    }
}

void decide(MapReading& reading) {
    const double best = reading.unexplained;
    const auto& left = reading.landmarks_unexplained;
    if (best <= kMapExplained) reading.verdict = named_place(reading);
    if (reading.verdict == MapVerdict::none && reading.matrices_unexplained <= kExplainedByMatrices) {
        reading.verdict = MapVerdict::td;
        if (reading.alphas.size() == 1) reading.ties.push_back(Landmark::no_bootstrap);  // nothing to bootstrap from
        return;
    }
    if (reading.verdict == MapVerdict::none) return;
    for (int k = 0; k < kLandmarks; ++k)
        if (static_cast<MapVerdict>(k) != reading.verdict &&
            (left[static_cast<size_t>(k)] <= kNearlyAsMuch * best + kMapSame ||
             holds_place_of(reading.beta, reading.c, static_cast<Landmark>(k))))
            reading.ties.push_back(static_cast<Landmark>(k));
}

// TD(C_l) from the step sizes of TD(alpha_l).
void add_matrices(const MapTarget& fit, const MapTarget& judge, Index d, const VectorXd& td_alphas,
                  MapReading& reading) {
    const Index layers = td_alphas.size();
    VectorXd start = VectorXd::Zero(layers * d * d);
    for (Index l = 0; l < layers; ++l)
        for (Index i = 0; i < d; ++i) start[(l * d + i) * d + i] = td_alphas[l];
    const auto loss = [&](const VectorXd& x) { return fit.loss(x, MapKind::matrices); };
    const auto linearise = [&](const VectorXd& x) { return fit.linearise(x, nullptr, MapKind::matrices); };
    LeastSquares squares(start);
    for (int step = 0; step < kMatrixSteps && squares.step(linearise, loss); ++step) {
    }
    reading.matrices_unexplained = judge.loss(squares.x(), MapKind::matrices) / judge.mean_square();
    if (!(reading.matrices_unexplained <= kExplainedByMatrices)) return;
    for (Index l = 0; l < layers; ++l)
        reading.matrices.push_back(
            Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(squares.x().data() + l * d * d, d, d));
}

}  // namespace

MapVerdict landmark_of(const MapReading& reading) {
    for (size_t k = 0; k < kLandmarks; ++k)  // simpler ones come first
        if (reading.landmarks_unexplained[k] <= kNearlyAsMuch * reading.unexplained + kFitRounding)
            return static_cast<MapVerdict>(k);
    return MapVerdict::none;
}

MapVerdict named_place(const MapReading& reading) {
    const MapVerdict landmark = landmark_of(reading);
    return landmark != MapVerdict::none ? landmark : region_of(reading.beta.value, reading.c.value);
}

MapReading read_map(const LineUpPrompts& fit_prompts, const LineUpPrompts& judge_prompts,
                    const std::vector<VectorXd>& wanted, const std::vector<VectorXd>& judged, int layers,
                    uint64_t seed) {
    MapReading reading;
    reading.beta = reading.c = {kNaN, kNaN, kNaN};
    reading.unexplained = reading.median_unexplained = reading.matrices_unexplained = kNaN;
    const MapPrompts fit_lanes(fit_prompts), judge_lanes(judge_prompts);
    const MapTarget fit(fit_lanes, fit_lanes.in_lanes(wanted)), judge(judge_lanes, judge_lanes.in_lanes(judged));
    const Target fit_each{fit_prompts, wanted}, judge_each{judge_prompts, judged};
    const double total = judge.mean_square();
    if (!std::isfinite(total) || !std::isfinite(fit.mean_square()) || !(total > 0)) return reading;

    const auto share = [&](const VectorXd& x) { return judge.loss(x) / total; };
    MapFit best;
    VectorXd td_alphas;
    reading.landmarks_unexplained.push_back(share(reward_correlation(fit_each, layers)));
    for (const auto& [beta, c] : kMapPlaces) {
        const MapFit landmark = fit_map(fit, first_map_point(fit, beta, c, layers), 2, kMostMapSteps);
        reading.landmarks_unexplained.push_back(share(landmark.x));
        if (beta == 1 && c == 0) td_alphas = landmark.x.tail(layers);
        const MapFit from_here = fit_map(fit, landmark.x, 0, kMostMapSteps);
        if (from_here.loss < best.loss) best = from_here;
    }
    if (!std::isfinite(best.loss)) return reading;
    const MapPoint point = point_of(best.x);
    const auto weights = [&](const MatrixXd& context) { return map_weights(context, point); };
    reading.gradient = map_slope(fit.linearise(best.x), fit.mean_square());
    reading.steps = best.steps;
    reading.converged = reading.gradient <= kMapAtRest;

    const std::vector<double> errors = judge_each.errors(weights);
    reading.unexplained = std::accumulate(errors.begin(), errors.end(), 0.0) / total;
    std::vector<double> shares;  // a prompt without rewards has none
    for (int i = 0; i < judge_prompts.size(); ++i)
        if (const double whole = in_moments(judge_each.w(i), judge_prompts.moments(i)); whole > 0)
            shares.push_back(errors[static_cast<size_t>(i)] / whole);
    std::nth_element(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2), shares.end());
    reading.median_unexplained = shares[shares.size() / 2];
    reading.alphas.assign(point.alphas.begin(), point.alphas.end());
    std::sort(reading.alphas.begin(), reading.alphas.end());
    add_intervals(fit_each, fit.mean_square(), best.x, seed, reading);
    if (!(reading.unexplained <= kMapExplained)) add_matrices(fit, judge, fit_prompts.d(), td_alphas, reading);
    decide(reading);
    return reading;
}

}  // namespace emergence
