#pragma once
// Theorem 2 of Wang et al. 2025: the expected update of a one-layer transformer that is trained by multi-task
// TD does not leave the set Theta* = {P zero but for its corner eta; Q's left blocks c I and c' I, else
// zero}.
//
// With G = Z M Z' (D x D, of the context) and the query's features x the value of one layer is bilinear,
// TF(Z) = -sum_{efh} P[-1,e] Q[f,h] u_{efh}, u_{efh} = G_ef x_h / n. So the moments of u under the samples
// say what the expected update is at any weights, and only P's last row and Q's first d columns ever move.

#include <cstdint>
#include <vector>

#include "core/base/eigen.h"
#include "core/tasks/task.h"

namespace emergence {

/// P and Q of one layer, or an update of them, D x D with D = 2d+1.
struct WeightUpdate {
    Eigen::MatrixXd P;
    Eigen::MatrixXd Q;
};

/// A member of Theta*.
struct InvariantPoint {
    double eta = 1.3;
    double c = -0.8;
    double c_prime = 0.5;
};
WeightUpdate invariant_weights(int d, const InvariantPoint& point);
/// The member that is nearest to these weights: P's corner and the means of both diagonals.
InvariantPoint nearest_invariant_point(const WeightUpdate& weights);
/// The part of weights, or of an update, that is outside Theta*, as a share of their norm: 0 to 1.
double share_outside_invariant_set(const WeightUpdate& weights);

struct InvariantSetOptions {
    TaskOptions tasks = {};
    int n = 30;
    int samples = 20;  // tasks, with one pair of prompts each
    /// Average each sample over all 2^d d! sign flips and permutations of the features, under which their
    /// distribution does not change: what is left outside Theta* is rounding. Else plain Monte Carlo, whose
    /// rest falls with samples^-1/2.
    bool symmetrised = true;
    /// The prompt begins this many steps into its trajectory, drawn uniformly from 0 to here.
    int latest_start = 0;
};

/// The mean over samples first .. first + samples - 1 of Eq. (10)'s update, (R + gamma TF(Z') - TF(Z)) grad
/// TF(Z), at any weights; symmetrised sample by sample, by all 2^d d! maps. What the moments must equal.
WeightUpdate expected_update(const InvariantSetOptions& options, const WeightUpdate& weights, uint64_t seed,
                             uint32_t first = 0);

/// E[R u] and E[u (u - gamma u')'], u' of the next prompt; indices run over e, f, h, the last fastest.
struct UpdateMoments {
    int d = 0;
    Eigen::VectorXd reward;
    Eigen::MatrixXd values;
};
/// Of the same samples, as they are: `symmetrised` has no part.
UpdateMoments update_moments(const InvariantSetOptions& options, uint64_t seed, uint32_t first = 0);
/// Eq. (10)'s expectation under these moments.
WeightUpdate expected_update(const UpdateMoments& moments, const WeightUpdate& weights);

/// The average of moments over all sign flips and permutations of the features, in closed form. Such a map
/// permutes the entries of u and flips signs, so that an entry of a moment is averaged over its orbit: where
/// a feature occurs an odd number of times in its indices it becomes 0, else the mean over all entries with
/// features in the same places alike (and the same blocks).
class FeatureAverage {
  public:
    explicit FeatureAverage(int d);
    UpdateMoments operator()(const UpdateMoments& moments) const;

  private:
    std::vector<int> reward_orbit_, value_orbit_;  // of each entry, -1: becomes 0
    int reward_orbits_ = 0, value_orbits_ = 0;
};

/// On the set everything is in f1 = x' (1/n) sum_j R_j phi_j and f2, the same with gamma phi'_j: TF(Z) = -(a
/// f1 + b f2) with a = eta c, b = eta c', the numbers that do not change when P is scaled up and Q down. r_k
/// = E[R f_k], M_kl = E[f_k (f_l - gamma f'_l)]; no average over maps is needed, f is the same for all.
struct InvariantFlow {
    int d = 0;
    Eigen::Vector2d r = Eigen::Vector2d::Zero();
    Eigen::Matrix2d M = Eigen::Matrix2d::Zero();

    /// d(a, b)/dt under the expected update, where eta^2 - d (c^2 + c'^2) = balance, which the flow keeps.
    Eigen::Vector2d direction(const Eigen::Vector2d& ab, double balance) const;
    /// Where the TD error no longer asks for a change: r + M (a, b) = 0.
    Eigen::Vector2d rest() const;
};
InvariantFlow invariant_flow(const InvariantSetOptions& options, uint64_t seed);

}  // namespace emergence
