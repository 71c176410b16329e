#pragma once
// What a network computes: the one verdict that every place prints, a method of ours, on the family of families.h.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/measures/families.h"

namespace emergence {

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
