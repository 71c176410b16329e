#pragma once
// Where a loss pulls: the star, a method of ours.
//
// The star is the member of the family (families.h) with scalar steps, theta = (beta, c, alpha_0 .. alpha_{L-1}), that a
// loss itself prefers. It is computed from prompts, without a network:
//
//     U(theta) = E[delta_w (grad v_w - s gamma grad v_{w+1})] = 0,   v_w = w_L(context of window w)' phi(query of window w)
//     delta_w = G_w - v_w,   G_w = R_w + gamma ((1 - lambda) v_{w+1} + lambda G_{w+1}),   G_B = v_B
//
// Windows slide along one trajectory as in training: the query is the state after the context, and the next prompt is the
// next window. With s = 1 it is the minimum of E[delta^2]. With s = 0 it is the root that the flow of U reaches from
// nearly zero, in the metric E[grad v grad v'], if all eigenvalues of dU/dtheta there have negative real parts.
// grad v is exact; dU/dtheta are central differences of U.

#include <cstdint>
#include <vector>

#include "core/base/matrix.h"
#include "core/measures/verdict.h"
#include "core/tasks/task.h"

namespace emergence {

/// TD: the default. Residual gradient: follows_target. TD(lambda): lambda. Monte Carlo: lambda = 1.
struct StarLoss {
    double lambda = 0;
    /// s = 1: the gradient follows the target. Needs lambda = 0.
    bool follows_target = false;
    /// The mean square value error on the same prompts instead: G_w is the true value. No loss of training.
    bool value_error = false;

    bool is_minimised() const { return follows_target || value_error; }
};

struct StarOptions {
    /// With exact values: not CartPole.
    TaskOptions tasks = {};
    int layers = 3;
    /// n
    int context_length = 30;
    /// B: windows that slide along one trajectory.
    int windows = 64;
    StarLoss loss = {};
    /// A context is the expectation under the MRP's stationary distribution, the same for all its windows.
    bool exact_contexts = false;
    /// MRPs of one of the sets below; 0: as many as about a second allows.
    int mrps = 0;
    uint64_t seed = 0;
};

/// The star of more layers is not computed: its step sizes are not determined.
inline constexpr int kMostStarLayers = 8;
/// The largest step size that one layer, applied several times, was seen to reach.
inline constexpr double kReachedByOneLayer = 4.5;

/// What U is averaged over; immutable.
class StarPrompts {
  public:
    /// `mrps` MRPs of a world of their own for each `set`.
    StarPrompts(const StarOptions& options, int mrps, int set);

    /// loss: E[delta^2]; update: U; metric: E[x x'], x the gradients that U multiplies with delta.
    struct Pull {
        double loss = 0;
        Vec update;
        Mat metric;
    };
    Pull pull(const Vec& theta) const;
    /// dU/dtheta.
    Mat jacobian(const Vec& theta) const;

  private:
    void add(const Mrp& mrp, int number, Stream& stream);

    StarOptions options_;
    int mrps_;
    /// Windows whose values are computed, ascending; the places in that list of those that U is averaged over.
    std::vector<int> windows_, used_;
    /// In the layouts of lane_measures.h, MRP by MRP.
    std::vector<double> moments_, queries_;
    /// By MRP: R_w of all windows, the true values of the used ones.
    std::vector<double> rewards_, true_values_;
};

struct Star {
    /// False if no stable point was found; nothing else is known then.
    bool found = false;
    /// With intervals of 95 % over independent sets of MRPs.
    FittedNumber beta, c;
    /// Ascending.
    std::vector<double> alphas;
    /// E[delta^2] there.
    double loss = 0;
    /// Of minimised losses the valley: half its extent in beta and c, and the correlation of both. Within the ellipse,
    /// with the best step sizes, the loss is at most kValleyShare above its least. 0 for others.
    double valley_beta = 0, valley_c = 0, valley_tilt = 0;

    /// Whether one shared layer can reach its step sizes.
    bool reachable() const { return alphas.empty() || alphas.back() <= kReachedByOneLayer; }
};
inline constexpr double kValleyShare = 0.01;

/// The star. Throws InputError for CartPole and for more than kMostStarLayers layers.
Star star_of(const StarOptions& options);

}  // namespace emergence
