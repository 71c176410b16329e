#pragma once
// The line-up, a method of ours: families of algorithms with free parameters are fitted to the values of a linear
// transformer on held-out prompts, and judged on other prompts. Theorems and corollaries are those of
// Wang et al. 2025.
//
// With w_0 = 0, every family but the last makes L steps and predicts v(s) = w_L' phi(s):
//
//     w_{l+1} = w_l + C_l (b - M w_l)
//
// b and M are formed from averages over the context's transitions (phi, R, gamma phi'):
//
//     A = (1/n) sum phi phi',   B = (1/n) sum phi (gamma phi')',   D = (1/n) sum (gamma phi')(gamma phi')'
//     r = (1/n) sum R phi,      q = (1/n) sum R gamma phi'
//
// The last family is TD(alpha_l) with a map of the features in each layer.

#include <memory>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/eigen.h"
#include "core/measures/held_out_bank.h"
#include "core/optim/descent.h"

namespace emergence {

struct MapBench;  // measures/map_follower.h
class MapTarget;  // measures/map_fit.h

/// The families.
enum class Family {
    // One step, C = alpha I, b = r: no bootstrapping.
    reward_correlation,
    // C_l = alpha_l I, b = r, M = A: TD without bootstrapping.
    no_bootstrap,
    // C_l = alpha I, b = r, M = A - B: TD(alpha).
    td,
    // C_l = alpha_l I, b = r, M = A - B: TD(alpha_l).
    td_steps,
    // Any C_l, b = r, M = A - B: TD(C_l), Theorem 1.
    td_matrices,
    // C_l = alpha_l I, b = r - q, M = A - B - B' + D: Corollary 2.
    residual_gradient,
    // TD(alpha_l), and in each layer, with e = phi - gamma phi', S = (1/n) sum phi phi' and
    // K = (1/n) sum (gamma phi') phi':
    //
    //     phi <- phi - kappa_l S e,   gamma phi' <- gamma phi' - kappa'_l K e
    td_features,
};
inline constexpr int kFamilies = 7;

/// The texts of a family.
struct FamilyText {
    const char* name;   // for files: "td_steps"
    const char* label;  // for legends
    const char* help;
};
/// One text per family, in the order of the enumeration.
const std::vector<FamilyText>& family_texts();

/// The number of parameters of a family. Their order is layer by layer: alpha_l; C_l row by row; for td_features
/// alpha_l, kappa_l, kappa'_l, where the last layer's two kappas have no effect. Steps with multiples of I commute, so
/// the order of the alpha_l of td_steps, no_bootstrap and residual_gradient is arbitrary.
int num_parameters(Family family, int d, int layers);

/// The prompts of a fit, as families need them. Immutable.
class LineUpPrompts {
  public:
    /// Contexts `first` .. `first + count - 1` of the bank at context length number `index`. Values are weighted by the
    /// tasks' stationary distributions; for tasks without true values all directions of the weight count equally.
    LineUpPrompts(const HeldOutBank& bank, size_t index, int first, int count);

    int d() const { return d_; }
    int size() const { return static_cast<int>(contexts_.size()); }
    /// (1/n) Z M Z' of prompt i, (2d+1) x (2d+1).
    const Eigen::MatrixXd& context(int i) const { return contexts_[static_cast<size_t>(i)]; }
    /// sum_s d(s) phi phi' of the task of prompt i, d x d.
    const Eigen::MatrixXd& moments(int i) const { return moments_[static_cast<size_t>(i)]; }
    /// The network's implicit weight w_TF (d) of each prompt.
    std::vector<Eigen::VectorXd> network_weights(const LinearAttentionView& network) const;
    /// The same in the layout of implicit_weights.h, prompt i in lane first_lane() + i; other lanes are of no use.
    std::vector<float> network_lanes(const LinearAttentionView& network) const;
    int first_lane() const { return first_; }
    /// n, and gamma in prompts.
    int context_length() const { return context_length_; }
    double gamma() const { return gamma_; }
    /// phi(S_t) or, for k = d, R_{t+1} of prompt i; of a bank that keeps its states.
    double state(int i, int t, int k) const;

  private:
    int d_, first_, context_length_;
    std::vector<Eigen::MatrixXd> contexts_, moments_;
    std::vector<float> grams_, states_;  // in the layout of GramBank
    int times_;
    double gamma_;
};

/// Fits of all families to one network, also while it trains: every fit starts at its last parameters, or at those of a
/// contained family that fits better.
class LineUp {
  public:
    LineUp(std::shared_ptr<const MapBench> prompts, int layers);

    /// Makes `steps` steps of least squares for every family. The result depends only on the networks followed so far
    /// and the numbers of steps.
    void follow(const LinearAttentionView& network, int steps);
    /// Follows a network that does not change until no step lowers the loss of any family.
    void settle(const LinearAttentionView& network);

    /// The share of the network's mean square value, on the judging prompts, that the family leaves unexplained: 1 for
    /// predicting zero. NaN before the first fit, and if the network predicts zero.
    double unexplained(Family family) const { return unexplained_[static_cast<size_t>(family)]; }
    /// That share in each judging prompt, of those in which the network predicts other than zero: a few prompts with
    /// large values rule unexplained().
    std::vector<double> unexplained_by_prompt(const LinearAttentionView& network, Family family) const;
    const Eigen::VectorXd& parameters(Family family) const { return fits_[static_cast<size_t>(family)].x(); }

    /// How settled a fit is: all its steps in settle(), and the norm of the gradient, by its parameters, of the share
    /// that it leaves on the fitting prompts.
    struct Settled {
        double steps = 0, gradient = 0;
    };
    /// By family; empty before settle().
    const std::vector<Settled>& settled() const { return settled_; }

    /// Saves parameters, damping, shares, and what settled() says.
    Array save() const;
    /// Resumes from save(). Throws InputError if `state` does not fit.
    void load(const Array& state);

  private:
    double loss(const MapTarget& target, Family family, const Eigen::VectorXd& parameters) const;
    NormalEquations linearise(const MapTarget& target, Family family, const Eigen::VectorXd& parameters) const;
    Eigen::VectorXd in_sums(Family family, const Eigen::VectorXd& parameters) const;
    void begin_where_better(Family family, const MapTarget& target);
    void try_other_orders(const MapTarget& target, int steps);
    void make_fits(const LinearAttentionView& network, int steps, bool settles);

    std::shared_ptr<const MapBench> prompts_;
    int layers_;
    std::vector<LeastSquares> fits_;
    std::vector<double> unexplained_;
    std::vector<Settled> settled_;
};

}  // namespace emergence
