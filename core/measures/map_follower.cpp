#include "core/measures/map_follower.h"

#include <cmath>
#include <iterator>
#include <utility>

#include "core/base/error.h"
#include "core/base/linear_algebra.h"
#include "core/measures/algorithm_map.h"

namespace emergence {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Steps of least squares at a logged step, and from a landmark.
constexpr int kFollowingSteps = 2, kLandmarkSteps = 3;
// A fit that leaves more is compared with one from a landmark: from each at the first such steps, then at every third step,
// because it costs as much as the step.
constexpr double kDoubtful = kMapExplained;
constexpr int64_t kPatience = 3;
// Of the grid of first step sizes.
constexpr int kCoarse = 2;
constexpr double kInfiniteLoss = std::numeric_limits<double>::infinity();

bool has_values(const MapTarget& target) { return std::isfinite(target.mean_square()) && target.mean_square() > 0; }

}  // namespace

MapFollower::MapFollower(std::shared_ptr<const MapBench> bench, int layers)
    : bench_(std::move(bench)), layers_(layers), squares_(VectorXd::Zero(layers + 2)) {}

void MapFollower::forget() {
    *this = MapFollower(bench_, layers_);
    has_state_ = false;
}

void MapFollower::try_landmark(const MapTarget& fit, size_t landmark, int most_steps, int stride) {
    const auto [beta, c] = kMapPlaces[landmark];
    const MapFit other = fit_map(fit, first_map_point(fit, beta, c, layers_, stride), 0, most_steps);
    steps_ += other.steps;
    if (!(other.loss < (begun_ ? fit.loss(squares_.x()) : kInfiniteLoss))) return;
    squares_.restore(other.x, LeastSquares::kFirstDamping);
    begun_ = true;
}

void MapFollower::begin(const MapTarget& fit, int most_steps, int stride) {
    for (size_t k = 0; k < std::size(kMapPlaces); ++k) try_landmark(fit, k, most_steps, stride);
}

MapPlace MapFollower::follow(const LinearAttentionView& network) {
    has_state_ = true;
    const MapTarget fit(bench_->fit, bench_->fit.network_weights(network));
    if (!has_values(fit)) return {};
    const auto linearise = [&fit](const VectorXd& x) { return fit.linearise(x); };
    const auto loss = [&fit](const VectorXd& x) { return fit.loss(x); };
    if (!begun_) begin(fit, kLandmarkSteps, kCoarse);
    for (int made = 0; made < kFollowingSteps && squares_.step(linearise, loss); ++made) ++steps_;
    if (!(fit.loss(squares_.x()) <= kDoubtful * fit.mean_square())) {
        constexpr auto kStarts = static_cast<int64_t>(std::size(kMapPlaces));
        const int64_t doubt = doubts_++;
        if (doubt < kStarts || doubt % kPatience == 0) {
            const int64_t landmark = (doubt < kStarts ? doubt : doubt / kPatience) % kStarts;
            try_landmark(fit, static_cast<size_t>(landmark), kLandmarkSteps, kCoarse);
        }
    }
    return place(fit, network);
}

MapPlace MapFollower::settle(const LinearAttentionView& network) {
    has_state_ = true;
    const MapTarget fit(bench_->fit, bench_->fit.network_weights(network));
    if (!has_values(fit)) return {};
    if (!begun_) begin(fit, kMostMapSteps, 1);
    return place(fit, network);
}

MapPlace MapFollower::place(const LinearAttentionView& network) const {
    const MapTarget fit(bench_->fit, bench_->fit.network_weights(network));
    return has_values(fit) ? place(fit, network) : MapPlace();
}

double MapFollower::unexplained_at(const LinearAttentionView& network, double beta, double c) const {
    constexpr int kSteps = 8;
    const MapTarget fit(bench_->fit, bench_->fit.network_weights(network));
    const MapTarget judge(bench_->judge, bench_->judge.network_weights(network));
    if (!begun_ || !has_values(fit) || !has_values(judge)) return MapPlace::kUnknown;
    VectorXd from = squares_.x();
    from.head(2) << beta, c;
    const MapFit near = fit_map(fit, from, 2, kSteps);
    const MapFit far = fit_map(fit, first_map_point(fit, beta, c, layers_, kCoarse), 2, kSteps);
    return judge.loss(near.loss <= far.loss ? near.x : far.x) / judge.mean_square();
}

// To first order, resampling the prompts moves the fit by -H^-1 times the sum of their gradients, whose covariance is
// H^-1 (sum g g') H^-1.
MapPlace MapFollower::place(const MapTarget& fit, const LinearAttentionView& network) const {
    const MapTarget judge(bench_->judge, bench_->judge.network_weights(network));
    if (!begun_ || !has_values(judge)) return {};
    const VectorXd& x = squares_.x();
    MatrixXd scatter;
    const NormalEquations at = fit.linearise(x, &scatter);
    const MatrixXd H = bounded_curvature(at.curvature, x, fit.mean_square());
    const MatrixXd inverse_H = pseudo_inverse(H);
    const MatrixXd moved = inverse_H * scatter * inverse_H;
    const MapLeeway leeway = map_leeway(H, fit.mean_square());
    MapPlace place;
    place.unexplained = judge.loss(x) / judge.mean_square();
    place.slope = map_slope(at, fit.mean_square());
    place.steps = steps_;
    const auto number = [&](int k, double& value, double& half) {
        const double reach = std::hypot(1.96 * std::sqrt(moved(k, k)), leeway.reach[k]);
        if (!(2 * reach < kMapUndetermined)) return;
        value = x[k];
        half = reach;
    };
    number(0, place.beta, place.beta_half);
    number(1, place.c, place.c_half);
    // The leeway's covariance is of standard deviations, half of its reach.
    place.tilt = (1.96 * 1.96 * moved(0, 1) + 4 * leeway.covariance(0, 1)) / (place.beta_half * place.c_half);
    return place;
}

Array MapFollower::save() const {
    std::vector<double> values = {begun_ ? 1.0 : 0.0, steps_, static_cast<double>(doubts_),
                                  static_cast<double>(lasting_), squares_.damping()};
    values.insert(values.end(), squares_.x().begin(), squares_.x().end());
    return {{values.size()}, std::move(values)};
}

void MapFollower::load(const Array& state) {
    const auto* values = std::get_if<std::vector<double>>(&state.values);
    const auto size = static_cast<size_t>(layers_ + 7);
    if (values == nullptr || state.shape != std::vector<size_t>{size})
        throw InputError("training state: array 'map' is of another size or type");
    const double begun = (*values)[0], doubts = (*values)[2], lasting = (*values)[3];
    const auto is_count = [](double number) { return number >= 0 && number < 1e15; };
    if ((begun != 0 && begun != 1) || !is_count(doubts) || !is_count(lasting))
        throw InputError("training state: array 'map' has another flag than 0 or 1, or an impossible count");
    steps_ = (*values)[1];
    doubts_ = static_cast<int64_t>(doubts);
    lasting_ = static_cast<int64_t>(lasting);
    squares_.restore(Eigen::Map<const VectorXd>(values->data() + 5, layers_ + 2), (*values)[4]);
    begun_ = begun == 1;
    has_state_ = true;
}

}  // namespace emergence
