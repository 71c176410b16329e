#pragma once
// Least squares on the map of algorithms (algorithm_map.h): a network's values on prompts, and the points nearest to
// them. Parameters are beta, c, alpha_0 .. alpha_{L-1}.

#include <limits>
#include <utility>
#include <vector>

#include "core/measures/line_up.h"
#include "core/measures/map_sums.h"

namespace emergence {

/// The prompts of a fit in groups of sixteen. `prompts` must outlive it.
class MapPrompts {
  public:
    explicit MapPrompts(const LineUpPrompts& prompts, MapAxis axis = MapAxis::gradient);

    const LineUpPrompts& prompts() const { return prompts_; }
    MapBank bank() const {
        return {moments_.data(), weights_.data(),           groups_,         prompts_.d(), axis_,
                states_.data(),  prompts_.context_length(), prompts_.gamma()};
    }
    /// Weight vectors, one per prompt, in the layout of map_sums().
    std::vector<double> in_lanes(const std::vector<Eigen::VectorXd>& weights) const;
    /// The network's.
    std::vector<double> network_weights(const LinearAttentionView& network) const;

  private:
    const LineUpPrompts& prompts_;
    int groups_;
    MapAxis axis_;
    std::vector<double> moments_, weights_, states_;
};

/// A network's values on prompts.
class MapTarget {
  public:
    /// wanted: its weight vectors in the layout of map_sums(). `prompts` must outlive it.
    MapTarget(const MapPrompts& prompts, std::vector<double> wanted);
    /// The first groups of sixteen prompts only.
    MapTarget first_groups(int groups) const;

    double mean_square() const { return mean_square_; }
    /// The squared error that a point leaves, or another family.
    double loss(const Eigen::VectorXd& x, MapKind kind = MapKind::map) const;
    /// The same with its derivatives; `scatter` gets the sum of g g' over prompts, g a prompt's gradient.
    NormalEquations linearise(const Eigen::VectorXd& x, Eigen::MatrixXd* scatter = nullptr,
                              MapKind kind = MapKind::map) const;

  private:
    MapBank bank_;
    std::vector<double> wanted_;
    double mean_square_;
};

/// A fit.
struct MapFit {
    Eigen::VectorXd x;
    double loss = std::numeric_limits<double>::infinity();
    int steps = 0;
};

/// Where TD without bootstrapping, TD and residual gradient lie: (beta, c).
inline constexpr std::pair<double, double> kMapPlaces[] = {{0, 0}, {1, 0}, {1, 1}};

/// The step sizes with which a fit at (beta, c) begins: the best equal ones of a grid from 2^-8 to 2^4, made unequal,
/// because equal ones have equal derivatives, which no fit separates. The grid takes `stride` half powers of 2 a step.
Eigen::VectorXd first_map_point(const MapTarget& target, double beta, double c, int layers, int stride = 1);
/// Fits the parameters from number `first` on, in at most `most_steps` steps of least squares.
MapFit fit_map(const MapTarget& target, const Eigen::VectorXd& start, Eigen::Index first, int most_steps);
/// A fit to rest takes some dozens of steps; none may take for ever.
inline constexpr int kMostMapSteps = 400;

/// The greatest slope of the share left unexplained, by each parameter in units of its own curvature. Below kMapAtRest
/// the fit has come to rest.
double map_slope(const NormalEquations& at, double mean_square);
inline constexpr double kMapAtRest = 1e-6;

/// An interval as wide as this says nothing.
inline constexpr double kMapUndetermined = 10;
/// The moves of (beta, c) that change the values by less than a ten-thousandth of their mean square, if the step sizes
/// follow. Infinite along a direction that changes nothing.
struct MapLeeway {
    Eigen::Vector2d reach;
    Eigen::Matrix2d covariance;
};
MapLeeway map_leeway(const Eigen::MatrixXd& curvature, double mean_square);
/// The curvature at x for small moves: one of a step size by the largest step size itself counts as a change of a
/// ten-thousandth. Else two equal step sizes, which a first order lets move apart without end, would leave beta open.
Eigen::MatrixXd bounded_curvature(Eigen::MatrixXd curvature, const Eigen::VectorXd& x, double mean_square);
/// Algorithms whose values differ by less than this share are not told apart.
inline constexpr double kMapSame = 1e-4;

}  // namespace emergence
