#pragma once
// What a network computes: the family of algorithms that networks are compared with, and the one verdict that every place
// prints, methods of ours. Theorems and corollaries are those of Wang et al. 2025.
//
// From w_0 = 0 the algorithm at (beta, c) makes L steps and predicts v(s) = w_L' phi(s):
//
//     w_{l+1} = w_l + C_l (1/n) sum_i (R_i + beta gamma phi_i'^T w_l - phi_i^T w_l) (phi_i - c gamma phi_i')
//             = w_l + C_l (b - M w_l),   b = r - c q,   M = A - beta B - c B' + beta c D
//
// with averages over the context's transitions (phi, R, gamma phi'):
//
//     A = (1/n) sum phi phi',   B = (1/n) sum phi (gamma phi')',   D = (1/n) sum (gamma phi')(gamma phi')'
//     r = (1/n) sum R phi,      q = (1/n) sum R gamma phi'
//
// beta says how much the algorithm bootstraps, c how much it follows the gradient of the target. Step sizes are
// C_l = alpha_l I, or any matrices (Theorem 1). For networks with a mask of traces lambda takes the place of c
// (Corollary 3), for networks with two heads the share of the mean reward they subtract (Theorem 3); see PlaceAxis.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/measures/held_out_bank.h"
#include "core/optim/descent.h"

namespace emergence {

/// An algorithm with a name: all members of the family at one place, or one step of it.
struct Landmark {
    /// The name in files: "td".
    const char* name;
    /// The name in sentences: "TD".
    const char* label;
    double beta, c;
    /// Whether it takes a single step, w = alpha r.
    bool one_step = false;
};

/// The named algorithms on an axis: one reward step, no bootstrapping, TD, and the axis' own: residual gradient,
/// TD(lambda) at `own`, or average-reward TD. The last two keep their trace, or subtract the mean, even without
/// bootstrapping.
std::vector<Landmark> landmarks_of(PlaceAxis axis, double own);

/// The prompts of a verdict: some to fit algorithms, others to judge them.
struct VerdictPrompts {
    /// So many of each; the bank has at least both.
    static constexpr int kFitted = 128, kJudged = 256;

    VerdictPrompts(const HeldOutBank& bank, size_t index, PlaceAxis axis, int fitted = kFitted, int judged = kJudged)
        : fit(bank, index, 0, fitted, axis), judge(bank, index, fitted, judged, axis) {}
    FitPrompts fit, judge;
};

/// Sums over prompts, with u a prompt's importance, off the difference of both weight vectors, W the prompt's form, J
/// the derivatives of the algorithm's by its parameters:
///
///     loss = sum u off' W off,   gradient = sum g,   curvature = sum u J' W J,   scatter = sum g g',   g = u J' W off
///
/// All but the loss are of size 0 unless asked for, scatter of scalar steps only.
struct FamilySums : NormalEquations {
    Mat scatter;
};
FamilySums family_sums(const FamilyBank& bank, const FamilyTarget& target, const std::vector<double>& parameters,
                       Steps steps, bool derivatives);

/// The median; of an even number of values the upper of the two in the middle.
double middle_of(std::vector<double> values);

/// A network's weight vectors on prompts, in the layout of FitPrompts::values(), and their mean squares.
struct NetworkValues {
    NetworkValues(const FitPrompts& of, std::vector<double> values);
    /// Each prompt's mean square difference from the algorithm with parameters x.
    std::vector<double> errors(const Vec& x, Steps steps) const;

    const FitPrompts& prompts;
    std::vector<double> wanted, sizes;
    double median;
    /// Whether all mean squares are finite, and not most of them zero.
    bool usable;
};

/// A fit, with its parameters beta, c, then step sizes or the entries of matrices.
struct FamilyFit {
    Vec x;
    double loss = std::numeric_limits<double>::infinity();
    int steps = 0;
    bool rests = false;
};

/// The fits with scalar steps: one of each landmark, and the family's.
struct ScalarFits {
    std::vector<FamilyFit> landmarks;
    FamilyFit family;
};

/// Fits algorithms with `layers` steps to a network.
struct FamilyFitter {
    FamilyFitter(const NetworkValues& of, int num_layers);

    ScalarFits fit_scalars(const std::vector<Landmark>& landmarks) const;
    /// The better of a fit that begins with the scalar steps and of one that begins with one matrix for all layers, of
    /// the parameters from number `first` on. `enough`: the loss that it must reach to be of use.
    FamilyFit fit_matrices(const Vec& scalar, Index first, double enough) const;
    /// Whether one Gauss-Newton step from the scalar steps promises matrices that leave less than this share of what
    /// the scalar steps leave.
    bool matrices_may_leave(double share, const FamilyFit& scalar) const;
    /// The best single step w = C r, which is linear in C.
    Vec one_matrix_step() const;
    double loss(const Vec& x, Steps steps) const;
    FamilySums linearise(const Vec& x, Steps steps) const;
    FamilyTarget target() const { return {values.wanted.data(), importance.data()}; }
    /// Scalar steps as matrices.
    Vec as_matrices(const Vec& x) const;

    const NetworkValues& values;
    int layers;
    std::vector<double> importance;
    /// The loss of predicting 0.
    double total = 0;
};

// The verdict: the family and each landmark are fitted to the network's values on prompts by least squares in which
// prompt k weighs 1/(s_k + median s), s_k the network's mean square there, and judged on other prompts by the share
//
//     sum_k min(e_k/(s_k + median s), 1) / sum_k s_k/(s_k + median s),   e_k the mean square of what is left
//
// With D_m the share of landmark m less that of the best point, the rule is, in this order:
//
//     1. no landmark and no point leaves at most 15 %, or matrices C_l (of up to 100 entries) promise, by one Gauss-Newton
//        step, to leave less than half of what scalar steps leave: the same among matrices, each with beta and c of its
//        own; if those too leave more: `none`
//     2. one layer does not determine beta: `ambiguous`, with the landmarks of its c
//     3. one reward step, if surely D <= 0.0003: the simplest that does it
//     4. a landmark's name, if its share is at most 15 %, surely D_o - 3 D_m >= 0.0003 for every other landmark o (three
//        times nearer in values), and the interval of (beta, c) meets its box of +-0.4
//     5. `ambiguous`: the landmarks with D_m not surely above 0.0003 whose box the interval meets; if none: `between`
//
// Surely: at 90 %, over prompts. If the fitted step sizes sum to less than zero, `wrong_sign` replaces a name.
// Thresholds are those that worked best on one half of networks whose algorithm is known; the handbook's page on the
// bench has the error rates on the other half.

enum class VerdictName {
    td,
    residual_gradient,
    no_bootstrap,
    reward_correlation,
    td_lambda,
    average_reward,
    wrong_sign,
    ambiguous,
    between,
    none
};
inline constexpr int kVerdictNames = 10;
/// "td": as in JSON.
const char* name_of(VerdictName name);

/// A fitted number; half: half of its interval of 95 %. NaN if the values do not determine it.
struct FittedNumber {
    double value = std::numeric_limits<double>::quiet_NaN(), half = value;

    bool is_known() const { return std::isfinite(value); }
    bool excludes(double other) const { return std::abs(value - other) > half; }
};

/// A share of the network's mean square value, with its interval of 95 % over prompts.
struct LeftShare {
    double value = std::numeric_limits<double>::quiet_NaN(), low = value, high = value;
};

struct NetworkVerdict {
    VerdictName name = VerdictName::none;
    /// The index of the landmark that `name` or wrong_sign refers to; -1 otherwise.
    int of = -1;
    /// The landmarks of `ambiguous`.
    std::vector<int> ties;
    /// Whether it was found among algorithms with matrices as step sizes.
    bool by_matrices = false;
    /// The best (beta, c) with scalar step sizes, the correlation of their errors, and the step sizes, ascending.
    FittedNumber beta, c;
    double tilt = 0;
    std::vector<double> alphas;
    /// The unexplained share at that point, the median over prompts of their own unexplained shares, the share that the
    /// best matrices leave (NaN if none were fitted), and the share that each landmark leaves.
    double unexplained = std::numeric_limits<double>::quiet_NaN(), median_unexplained = unexplained,
           unexplained_by_matrices = unexplained;
    std::vector<LeftShare> leaves;
    /// Whether that fit converged, after how many steps of least squares, and the slope of its share at the end.
    bool converged = false;
    int steps = 0;
    double slope = std::numeric_limits<double>::quiet_NaN();

    /// Whether the network's values are finite and not all zero, so that algorithms can be compared with them.
    bool has_values() const { return std::isfinite(unexplained); }
};

/// Above this share nothing is named.
inline constexpr double kMostUnexplained = 0.15;
/// Shares that differ by less do not tell algorithms apart.
inline constexpr double kSameShare = 3e-4;

/// Depends on the network's weights and the prompts alone.
NetworkVerdict verdict(const LinearAttentionView& network, const VerdictPrompts& prompts,
                       const std::vector<Landmark>& landmarks);
/// The verdict on anything whose values are linear in the query, from its weight vectors (in the layout of
/// FitPrompts::values()) and its number of steps.
NetworkVerdict verdict(std::vector<double> fitted, std::vector<double> judged, int layers,
                       const VerdictPrompts& prompts, const std::vector<Landmark>& landmarks);

/// The verdict in a few words, where networks are counted: "TD", "between", "no named algorithm".
std::string label_of(const NetworkVerdict& verdict, const std::vector<Landmark>& landmarks);
/// The verdict in one sentence that says how the network differs from the algorithm it is named after: "TD, best
/// described with discount 0.68 instead of 0.9".
/// gamma: the discount in prompts.
std::string sentence_of(const NetworkVerdict& verdict, const std::vector<Landmark>& landmarks, PlaceAxis axis,
                        double gamma);

}  // namespace emergence
