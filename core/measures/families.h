#pragma once
// The family of algorithms that networks are compared with, and its fits to a network, methods of ours. Theorems and
// corollaries are those of Wang et al. 2025.
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

#include <limits>
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
/// TD(lambda) at `own`, or average-reward TD. TD(lambda) and average-reward TD keep their
/// trace, or subtract the mean, even without bootstrapping.
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

}  // namespace emergence
