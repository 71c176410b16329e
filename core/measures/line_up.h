#pragma once
// Which algorithm is it? Families of algorithms, each with parameters of its own, are fitted to the values
// that a linear transformer gives, on held-out prompts, and judged on others (ours). Theorems and corollaries
// are those of Wang et al. 2025.
//
// With w_0 = 0 and the context's averages A = (1/n) sum phi phi', B = (1/n) sum phi (gamma phi')',
// D = (1/n) sum (gamma phi')(gamma phi')', r = (1/n) sum R phi, q = (1/n) sum R gamma phi', every family but
// the last makes L steps
//     w_{l+1} = w_l + C_l (b - M w_l)
// and predicts v(s) = w_L' phi(s). The last one is TD(alpha_l) whose features are mapped on the way.

#include <memory>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/eigen.h"
#include "core/measures/held_out_bank.h"
#include "core/optim/least_squares.h"

namespace emergence {

enum class Family {
    reward_correlation,  // one step, C = alpha I, b = r: no bootstrap
    no_bootstrap,        // C_l = alpha_l I, b = r, M = A: TD with its bootstrapping deleted
    td,                  // C_l = alpha I, b = r, M = A - B: TD(alpha)
    td_steps,            // C_l = alpha_l I: TD(alpha_l)
    td_matrices,         // any C_l: TD(C_l), Theorem 1
    residual_gradient,   // C_l = alpha_l I, b = r - q, M = A - B - B' + D: Corollary 2
    td_features,  // TD(alpha_l), and in each layer phi and gamma phi' lose kappa_l S e and kappa'_l K e
};                // with e = phi - gamma phi', S = (1/n) sum phi phi', K = (1/n) sum (gamma phi') phi'
inline constexpr int kFamilies = 7;

struct FamilyText {
    const char* name;   // for files: "td_steps"
    const char* label;  // for legends
    const char* help;
};
/// In the order of the enumeration.
const std::vector<FamilyText>& family_texts();

/// How many parameters a family has. TD's steps with multiples of I commute: in which order a fit has the
/// alpha_l of td_steps, no_bootstrap and residual_gradient says nothing. Their order: layer by layer; C_l row
/// by row; of td_features alpha_l, kappa_l, kappa'_l, the last layer's two
/// without effect.
int num_parameters(Family family, int d, int layers);

/// What a family needs of prompts. Immutable.
class LineUpPrompts {
  public:
    /// Contexts `first` .. `first + count - 1` of the bank at its context length number `index`. Values are
    /// weighted by the tasks' stationary distributions; without true values all directions of the weight
    /// count the same.
    LineUpPrompts(const HeldOutBank& bank, size_t index, int first, int count);

    int d() const { return d_; }
    int size() const { return static_cast<int>(contexts_.size()); }
    /// (1/n) Z M Z' of prompt i, (2d+1) x (2d+1).
    const Eigen::MatrixXd& context(int i) const { return contexts_[static_cast<size_t>(i)]; }
    /// sum_s d(s) phi phi' of its task.
    const Eigen::MatrixXd& moments(int i) const { return moments_[static_cast<size_t>(i)]; }
    /// What the network makes of each: w_TF (d).
    std::vector<Eigen::VectorXd> network_weights(const LinearAttentionView& network) const;

  private:
    int d_, first_, context_length_;
    std::vector<Eigen::MatrixXd> contexts_, moments_;
    std::vector<float> grams_;  // as GramBank has them
};

/// The weight vector that a family computes from a prompt's context; `parameters`: num_parameters of them.
Eigen::VectorXd family_weights(Family family, const Eigen::MatrixXd& context, int layers,
                               const Eigen::VectorXd& parameters);
/// And its derivative by each parameter: d x parameters.
Eigen::MatrixXd family_derivatives(Family family, const Eigen::MatrixXd& context, int layers,
                                   const Eigen::VectorXd& parameters);

/// Fits of all families to one network that may go on training: every fit begins at the last one's
/// parameters, or at those of a family within it that does better.
class LineUp {
  public:
    /// Fitted on `fit`, judged on `judge`; both outlive nothing.
    LineUp(std::shared_ptr<const LineUpPrompts> fit, std::shared_ptr<const LineUpPrompts> judge, int layers);

    /// `steps` of least squares for every family. The outcome depends on the networks followed so far and
    /// the numbers of steps alone.
    void follow(const LinearAttentionView& network, int steps);

    /// The share of the network's mean square value, on the prompts that were not fitted to, that the family
    /// leaves unexplained: 1 for predicting zero. Not a number before the first fit, and where the network
    /// predicts zero itself.
    double unexplained(Family family) const { return unexplained_[static_cast<size_t>(family)]; }
    const Eigen::VectorXd& parameters(Family family) const { return fits_[static_cast<size_t>(family)].x(); }

    /// Parameters, damping and shares, to go on from.
    Array save() const;
    /// Throws InputError where these are not of such a line-up.
    void load(const Array& state);

  private:
    double loss(const LineUpPrompts& prompts, const std::vector<Eigen::VectorXd>& wanted, Family family,
                const Eigen::VectorXd& parameters) const;
    NormalEquations linearise(const std::vector<Eigen::VectorXd>& wanted, Family family,
                              const Eigen::VectorXd& parameters) const;
    void begin_where_better(Family family, const std::vector<Eigen::VectorXd>& wanted);
    void try_other_orders(const std::vector<Eigen::VectorXd>& wanted, int steps);

    std::shared_ptr<const LineUpPrompts> fit_, judge_;
    int layers_;
    std::vector<LeastSquares> fits_;
    std::vector<double> unexplained_;
};

}  // namespace emergence
