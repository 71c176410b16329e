#pragma once
// A network's place on the map of algorithms (algorithm_map.h) while it trains: at every logged step the fit goes on
// from the one before, cheaply.

#include <limits>
#include <memory>

#include "core/base/array.h"
#include "core/measures/map_fit.h"

namespace emergence {

/// A place on the map. beta and c are NaN where the values do not determine them, everything is NaN if the network
/// predicts zero or values that are not finite.
struct MapPlace {
    static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    double beta = kUnknown, c = kUnknown;
    /// Half of each interval of 95 %: prompts resampled, to first order, and moves that hardly change the values.
    double beta_half = kUnknown, c_half = kUnknown;
    /// The correlation of both, which tilts the ellipse of the intervals.
    double tilt = kUnknown;
    /// The share of the judging prompts' mean square value that the point leaves unexplained.
    double unexplained = kUnknown;
    /// The slope of the fit's share, see map_slope(), and the steps of least squares so far.
    double slope = kUnknown;
    double steps = 0;
};

/// The prompts of both halves; immutable, shared by all seeds.
struct MapBench {
    MapBench(std::shared_ptr<const LineUpPrompts> fitted, std::shared_ptr<const LineUpPrompts> judged,
             MapAxis axis = MapAxis::gradient)
        : fit_prompts(std::move(fitted)),
          judge_prompts(std::move(judged)),
          fit(*fit_prompts, axis),
          judge(*judge_prompts, axis) {}
    std::shared_ptr<const LineUpPrompts> fit_prompts, judge_prompts;
    MapPrompts fit, judge;
};

/// Follows one network.
class MapFollower {
  public:
    MapFollower(std::shared_ptr<const MapBench> bench, int layers);

    /// Takes two steps of least squares from the last fit on. A fit that explains too little is compared with one from a
    /// landmark, each time from another: at the first three such calls, then at every third. The result depends only on
    /// the networks followed so far.
    MapPlace follow(const LinearAttentionView& network);
    /// Runs the fits until they rest, for weights that stand still.
    MapPlace settle(const LinearAttentionView& network);

    /// Where the last fit stands, judged on this network.
    MapPlace place(const LinearAttentionView& network) const;

    /// The last fit: beta, c, the step sizes.
    const Eigen::VectorXd& point() const { return squares_.x(); }

    /// The share that the algorithm at (beta, c) leaves unexplained, with step sizes fitted from those of the last fit on.
    double unexplained_at(const LinearAttentionView& network, double beta, double c) const;

    /// Counts how many calls in a row something has held of the places that follow() gave.
    void count(bool holds) { lasting_ = holds ? lasting_ + 1 : 0; }
    int64_t lasting() const { return lasting_; }

    Array save() const;
    /// Resumes from save(). Throws InputError if `state` does not fit.
    void load(const Array& state);
    /// As made, for a state that has no fit; that state is whole without one until the next call of follow().
    void forget();
    bool has_state() const { return has_state_; }

  private:
    MapPlace place(const MapTarget& fit, const LinearAttentionView& network) const;
    /// Takes the fit from a landmark if it is better than the present one.
    void try_landmark(const MapTarget& fit, size_t landmark, int most_steps, int stride);
    /// From all of them, in the beginning.
    void begin(const MapTarget& fit, int most_steps, int stride);

    std::shared_ptr<const MapBench> bench_;
    int layers_;
    bool begun_ = false;
    bool has_state_ = true;
    double steps_ = 0;
    int64_t doubts_ = 0, lasting_ = 0;
    LeastSquares squares_;
};

}  // namespace emergence
