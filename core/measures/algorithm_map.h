#pragma once
// The map of algorithms, a method of ours: which algorithm a linear transformer runs is a point (beta, c),
// fitted to its values on held-out prompts and judged on other prompts. Theorems and corollaries are those of
// Wang et al. 2025.
//
// From w_0 = 0 the algorithm at (beta, c) makes L steps and predicts v(s) = w_L' phi(s):
//
//     w_{l+1} = w_l + alpha_l (1/n) sum_i (R_i + beta gamma phi_i'^T w_l - phi_i^T w_l) (phi_i - c gamma phi_i')
//             = w_l + alpha_l (b - M w_l),   b = r - c q,   M = A - beta B - c B' + beta c D
//
// with the averages A, B, D, r, q of line_up.h. beta is how much it bootstraps, c how much of the target's gradient it
// takes: (1, 0) is TD, (1, 1) residual gradient (Corollary 2), (0, 0) TD without bootstrapping.

#include <cstdint>
#include <string>
#include <vector>

#include "core/measures/line_up.h"

namespace emergence {

/// A place on the map, and step sizes.
struct MapPoint {
    double beta = 1;
    double c = 0;
    Eigen::VectorXd alphas;  // L
};

/// A context's averages A, B, D, r, q in the order of map_sums.h. context: (2d+1) x (2d+1).
std::vector<double> map_moments(const Eigen::MatrixXd& context);
/// The weight vector (d) that the algorithm at a point computes from a context, (2d+1) x (2d+1).
Eigen::VectorXd map_weights(const Eigen::MatrixXd& context, const MapPoint& point);
/// The derivative of map_weights() by beta, c, alpha_0 .. alpha_{L-1}: d x (L + 2).
Eigen::MatrixXd map_derivatives(const Eigen::MatrixXd& context, const MapPoint& point);

/// In double, the weight vector (d) that a linear transformer computes from a context. P, Q: D x D per layer.
Eigen::VectorXd network_weights(const Eigen::MatrixXd& context, const std::vector<Eigen::MatrixXd>& P,
                                const std::vector<Eigen::MatrixXd>& Q);

/// The algorithms that have names.
enum class Landmark { reward_correlation, no_bootstrap, td, residual_gradient };
inline constexpr int kLandmarks = 4;
/// "td": as in JSON.
const char* name_of(Landmark landmark);
/// "TD": in sentences.
const char* label_of(Landmark landmark);

/// What a network computes.
enum class MapVerdict { reward_correlation, no_bootstrap, td, residual_gradient, between, none };
/// "between": as in JSON.
const char* name_of(MapVerdict verdict);

/// A fitted coefficient and its interval of 95 %, infinite where the values do not determine it.
struct MapInterval {
    double value, low, high;
};

/// A network on the map. Shares are of the network's mean square value on the judged prompts.
struct MapReading {
    MapVerdict verdict = MapVerdict::none;
    MapInterval beta{}, c{};
    // 2 x 2: the ellipse of the intervals, (beta, c); infinite where a coefficient is not determined.
    Eigen::Matrix2d covariance = Eigen::Matrix2d::Zero();
    // By size: steps of one point commute.
    std::vector<double> alphas;
    // The share that the point leaves unexplained; a few prompts carry much of it, so also the median of the prompts'
    // own shares.
    double unexplained = 0, median_unexplained = 0;
    // The share that TD(C_l) of Theorem 1 leaves unexplained, and its C_l, d x d per layer, if the point alone does not
    // explain the network; NaN and empty otherwise.
    double matrices_unexplained = 0;
    std::vector<Eigen::MatrixXd> matrices;
    // The share that each landmark leaves unexplained with its own step sizes.
    std::vector<double> landmarks_unexplained;
    // Landmarks that explain the network as well as the verdict, without it.
    std::vector<Landmark> ties;
    // Whether the fit came to rest, after how many steps, with what gradient (of the share, by the parameters).
    bool converged = false;
    int steps = 0;
    double gradient = 0;
};

/// Fits and judges one network. wanted and judged: its weight vectors on the prompts of `fit` and `judge`. `seed` draws
/// the resampled prompts of the intervals. A network that predicts zero or values that are not finite is none of these.
MapReading read_map(const LineUpPrompts& fit, const LineUpPrompts& judge, const std::vector<Eigen::VectorXd>& wanted,
                    const std::vector<Eigen::VectorXd>& judged, int layers, uint64_t seed);

/// How far from a landmark its name reaches. `emergence-cli figure bench` calibrates all of this on one half of networks
/// whose algorithm is known, and tests it on the other (core/experiments/bench, claims bench-regions and bench-limit): the
/// half gets as many right as with the best sizes, which are beta up to 0.40, c of TD up to 0.48, c of residual gradient up
/// to 0.48, no bootstrapping up to 0.44, and as many as with the best limit of the unexplained share, 0.176.
struct MapRegions {
    /// Of TD and of residual gradient.
    double beta = 0.4;
    double td_c = 0.3, residual_c = 0.4;
    /// Of no bootstrapping, in both coordinates.
    double no_bootstrap = 0.2;
};
inline constexpr MapRegions kMapRegions;
/// Above this share of the values' mean square nothing is named.
inline constexpr double kMapExplained = 0.15;

/// The algorithm in whose region a place lies; else `between`.
MapVerdict region_of(double beta, double c, const MapRegions& regions = kMapRegions);
/// The simplest landmark that explains nearly as much as a reading's point; `none` if no landmark does.
MapVerdict landmark_of(const MapReading& reading);
/// The name of a reading's point, whatever it leaves unexplained: that landmark, or the point's region.
MapVerdict named_place(const MapReading& reading);
/// A place in words: "bootstraps 0.78 of the way, takes none of the target's gradient; 6 % unexplained". Of a coefficient
/// whose interval is wider than 1 the interval is told instead, if it is finite.
std::string words_of_place(const MapInterval& beta, const MapInterval& c, double unexplained);
/// Whether an interval is finite and at most 1 wide.
bool is_known(const MapInterval& number);
/// A region's name where networks are counted: "TD", "none of these".
std::string count_word_of(MapVerdict verdict);

/// Whether intervals leave it open that a network runs this algorithm, c to within 0.2.
bool holds_place_of(const MapInterval& beta, const MapInterval& c, Landmark landmark);
/// "cannot be told apart: TD without bootstrapping, TD" if intervals hold the places of several algorithms; else "".
std::string open_between(const MapInterval& beta, const MapInterval& c);

/// What the network computes, as a sentence: "bootstraps 0.78 of the way, takes none of the target's gradient; 6 %
/// unexplained".
std::string sentence_of(const MapReading& reading);

}  // namespace emergence
