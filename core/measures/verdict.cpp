#include "core/measures/verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/linear_algebra.h"
#include "core/base/ranges.h"
#include "core/base/statistics.h"
#include "core/base/text.h"

namespace emergence {
namespace {

// Normal quantiles: one-sided 90 %, two-sided 95 %.
constexpr double kSurely = 1.2816, kInterval = 1.96;
// A named algorithm must be this many times nearer in values than every other, and (beta, c) within kBox of its place.
constexpr double kNearer = 3, kBox = 0.4;
// The sandwich is too narrow by this factor (measured on known networks).
constexpr double kSandwich = 1.5;
// Half of the interval of (beta, c) beside matrices.
constexpr double kMatrixHalf = 0.2;
// A number whose interval is this wide counts as unknown.
constexpr double kUndetermined = 10;
// Matrices are fitted only where scalar steps leave more; they must leave less than half of it.
constexpr double kScalarEnough = 0.04, kHalfOf = 0.5;
// Larger matrices are not fitted, because a fit would take seconds.
constexpr int kMostMatrixEntries = 100;

// The landmark that leaves least.
size_t nearest_of(const std::vector<LeftShare>& leaves) {
    const auto less = [](const LeftShare& a, const LeftShare& b) { return a.value < b.value; };
    return static_cast<size_t>(std::min_element(leaves.begin(), leaves.end(), less) - leaves.begin());
}

// Each landmark's share and the family's, prompt by prompt.
class FamilyJudge {
  public:
    explicit FamilyJudge(const NetworkValues& values) : values_(values) {
        for (const double s : values.sizes) whole_.push_back(s / (s + values.median));
        sum_ = std::accumulate(whole_.begin(), whole_.end(), 0.0);
    }
    void add(const Vec& x, Steps steps) {
        std::vector<double> left = values_.errors(x, steps);
        double sum = 0;
        for (size_t k = 0; k < left.size(); ++k) {
            left[k] = smaller(left[k] / (values_.sizes[k] + values_.median), 1.0);
            if (std::isnan(left[k])) left[k] = 1.0;  // it diverged there
            sum += left[k];
        }
        lefts_.push_back(std::move(left));
        shares_.push_back(sum / sum_);
    }

    double share(size_t m) const { return shares_[m]; }
    size_t best() const {
        return static_cast<size_t>(std::min_element(shares_.begin(), shares_.end()) - shares_.begin());
    }
    // A sum of shares, each by its factor, and its standard deviation over prompts.
    std::pair<double, double> combined(const std::vector<std::pair<size_t, double>>& parts) const {
        double value = 0;
        for (const auto& [m, factor] : parts) value += factor * shares_[m];
        const double count = static_cast<double>(whole_.size()), mean = sum_ / count;
        double squares = 0;
        for (size_t k = 0; k < whole_.size(); ++k) {
            double off = -value * whole_[k];
            for (const auto& [m, factor] : parts) off += factor * lefts_[m][k];
            squares += off * off;
        }
        return {value, std::sqrt(squares) / (mean * count)};
    }
    // A bound of the difference between a landmark's share and the best one's, so many deviations off.
    double difference(size_t m, double deviations) const { return edge({{m, 1}, {best(), -1}}, deviations); }
    // A bound that D_o - 3 D_m surely exceeds.
    double nearer_by(size_t m, size_t other) const {
        return edge({{other, 1}, {m, -kNearer}, {best(), kNearer - 1}}, -kSurely);
    }
    LeftShare left(size_t m) const {
        const auto [value, deviation] = combined({{m, 1}});
        return {value, larger(0.0, value - kInterval * deviation), value + kInterval * deviation};
    }
    // The median over prompts of the uncapped share.
    double median_share(const Vec& x) const {
        const std::vector<double> left = values_.errors(x, Steps::scalar);
        std::vector<double> shares;
        for (size_t k = 0; k < left.size(); ++k)
            if (values_.sizes[k] > 0) shares.push_back(left[k] / values_.sizes[k]);
        return middle_of(shares);
    }

  private:
    double edge(const std::vector<std::pair<size_t, double>>& parts, double deviations) const {
        const auto [value, deviation] = combined(parts);
        return value + deviations * deviation;
    }

    const NetworkValues& values_;
    std::vector<double> whole_, shares_;
    std::vector<std::vector<double>> lefts_;
    double sum_;
};

// Sets the intervals of (beta, c): the sandwich estimate, plus moves that change the values by less than kSameShare
// while the step sizes adapt.
void add_intervals(const FamilyFitter& fitter, const Vec& x, NetworkVerdict& verdict) {
    FamilySums at = fitter.linearise(x, Steps::scalar);
    // Without this bound two equal step sizes could move apart for ever to first order, and beta would stay unknown.
    const double largest = x.tail(x.size() - 2).cwiseAbs().maxCoeff();
    for (Index k = 0; k < at.gradient.size(); ++k)
        if (at.curvature(k, k) > 0) {
            const double slope = std::abs(at.gradient[k]) / std::sqrt(at.curvature(k, k) * fitter.total);
            verdict.slope = std::isnan(verdict.slope) ? slope : larger(verdict.slope, slope);
        }
    if (largest > 0) at.curvature.diagonal().tail(x.size() - 2) += kSameShare * fitter.total / (largest * largest);
    // Keeps the matrix regular where a direction of (beta, c) hardly changes the values: its interval becomes wide.
    at.curvature.diagonal().head(2) += 1e-9 * fitter.total;
    const Mat inverse_H = inverse(at.curvature);
    const Mat moved = inverse_H * at.scatter * inverse_H, give = kSameShare * fitter.total * inverse_H;
    double halves[2];
    for (Index k = 0; k < 2; ++k) {
        halves[k] = kSandwich * kInterval * std::sqrt(moved(k, k)) + std::sqrt(give(k, k));
        if (2 * halves[k] < kUndetermined) (k == 0 ? verdict.beta : verdict.c) = {x[k], halves[k]};
    }
    const double both = moved(0, 1) + give(0, 1);
    verdict.tilt = both / std::sqrt((moved(0, 0) + give(0, 0)) * (moved(1, 1) + give(1, 1)));
}

// Steps 3 to 5 of the rule. The family is the judge's last.
void name_among(const FamilyJudge& judge, const std::vector<Landmark>& landmarks, bool wrong_sign,
                NetworkVerdict& verdict) {
    const auto meets = [&](size_t m) {
        if (landmarks[m].one_step) return true;
        const double beta_half = verdict.by_matrices ? kMatrixHalf : verdict.beta.half,
                     c_half = verdict.by_matrices ? kMatrixHalf : verdict.c.half;
        return !(std::abs(verdict.beta.value - landmarks[m].beta) - beta_half > kBox) &&
               !(std::abs(verdict.c.value - landmarks[m].c) - c_half > kBox);
    };
    const auto called = [&](size_t m) {
        int name = 0;
        while (std::string(landmarks[m].name) != name_of(static_cast<VerdictName>(name))) ++name;
        verdict.of = static_cast<int>(m);
        verdict.name = wrong_sign ? VerdictName::wrong_sign : static_cast<VerdictName>(name);
    };
    if (judge.share(0) <= kMostUnexplained && judge.difference(0, kSurely) <= kSameShare) return called(0);
    for (size_t m = 0; m < landmarks.size(); ++m) {
        if (judge.share(m) > kMostUnexplained) continue;
        bool nearest = true;
        for (size_t other = 0; other < landmarks.size(); ++other)
            nearest = nearest && (other == m || judge.nearer_by(m, other) >= kSameShare);
        if (!nearest) continue;
        verdict.name = VerdictName::between;
        if (meets(m)) called(m);
        return;
    }
    for (size_t m = 0; m < landmarks.size(); ++m)
        if (judge.share(m) <= kMostUnexplained && meets(m) && judge.difference(m, -kSurely) <= kSameShare)
            verdict.ties.push_back(static_cast<int>(m));
    verdict.name = verdict.ties.empty() ? VerdictName::between : VerdictName::ambiguous;
}

// The name for one layer, where beta has no effect.
void name_one_layer(const FamilyJudge& judge, const std::vector<Landmark>& landmarks, NetworkVerdict& verdict) {
    verdict.beta = {};
    const size_t td = 2, own = 3;
    const bool is_td = judge.share(td) <= kMostUnexplained && judge.nearer_by(td, own) >= 0;
    if (is_td || judge.share(own) <= kMostUnexplained)
        for (size_t m = 0; m < landmarks.size(); ++m)
            if (landmarks[m].c == landmarks[is_td ? td : own].c) verdict.ties.push_back(static_cast<int>(m));
    verdict.name = verdict.ties.empty() ? VerdictName::between : VerdictName::ambiguous;
}

// ---- in words

std::string range_of(const FittedNumber& number, double factor = 1) {
    return fmt::format("{:.2f} to {:.2f}", factor * (number.value - number.half),
                       factor * (number.value + number.half));
}

// How the second coordinate differs from the landmark's: "plus 40 % of the residual gradient".
std::string second_words(PlaceAxis axis, double value, double instead_of) {
    if (axis == PlaceAxis::trace) return fmt::format("\u03bb {:.2f} instead of {:.2f}", value, instead_of);
    if (axis == PlaceAxis::mean_reward) return fmt::format("{:.0f} % of the mean reward subtracted", 100 * value);
    if (instead_of != 0) return fmt::format("{:.0f} % of its second term", 100 * value);
    return fmt::format("{} {:.0f} % of the residual gradient", value < 0 ? "minus" : "plus", 100 * std::abs(value));
}

// ", best described with discount 0.68 instead of 0.9 (explains 1 % more)"; "" if the intervals hold the landmark.
std::string how_it_differs(const NetworkVerdict& verdict, const Landmark& landmark, PlaceAxis axis, double gamma) {
    std::vector<std::string> parts;
    if (verdict.beta.is_known() && verdict.beta.excludes(landmark.beta))
        parts.push_back(landmark.beta == 0 ? fmt::format("discount {:.2f}", verdict.beta.value * gamma)
                                           : fmt::format("discount {:.2f} instead of {:.2g}",
                                                         verdict.beta.value * gamma, landmark.beta * gamma));
    if (verdict.c.is_known() && verdict.c.excludes(landmark.c))
        parts.push_back(second_words(axis, verdict.c.value, landmark.c));
    if (parts.empty()) return "";
    std::string words = fmt::format(", best described with {}", fmt::join(parts, " and "));
    const double best = verdict.by_matrices ? verdict.unexplained_by_matrices : verdict.unexplained;
    const double more = verdict.by_matrices ? 0 : verdict.leaves[verdict.of].value - best;
    if (more >= 0.005) words += fmt::format(" (explains {} more)", percent_of(more));
    return words;
}

std::string named_words(const NetworkVerdict& verdict, const std::vector<Landmark>& landmarks, PlaceAxis axis,
                        double gamma) {
    const Landmark& landmark = landmarks[verdict.of];
    const std::string sign = verdict.name == VerdictName::wrong_sign ? " with the wrong sign" : "";
    const std::string matrices = verdict.by_matrices ? " with a matrix for each step" : "";
    if (landmark.one_step)
        return fmt::format("correlates features with rewards{}{}; does not bootstrap", sign, matrices);
    const std::string differs = how_it_differs(verdict, landmark, axis, gamma);
    if (landmark.beta == 0) return fmt::format("regresses rewards{}{}; does not bootstrap{}", sign, matrices, differs);
    return fmt::format("computes {}{}{}{}", landmark.label, sign, matrices, differs);
}

std::string between_words(const NetworkVerdict& verdict, PlaceAxis axis, double gamma) {
    std::vector<std::string> parts;
    if (verdict.beta.is_known())
        parts.push_back(fmt::format("discount {:.2f} ({}) where the task has {:.2g}", verdict.beta.value * gamma,
                                    range_of(verdict.beta, gamma), gamma));
    if (verdict.c.is_known()) {
        const char* const what[] = {"residual gradient", "\u03bb", "mean reward"};
        parts.push_back(
            fmt::format("{} {:.2f} ({})", what[static_cast<size_t>(axis)], verdict.c.value, range_of(verdict.c)));
    }
    return parts.empty() ? "lies between the named algorithms"
                         : fmt::format("lies between the named algorithms: {}", fmt::join(parts, ", "));
}

std::string tied_words(const NetworkVerdict& verdict, const std::vector<Landmark>& landmarks) {
    const auto names = mapped(verdict.ties, [&](int tie) { return landmarks[tie].label; });
    if (names.size() == 1) return fmt::format("could be {}: its values do not settle it", names[0]);
    return fmt::format("cannot be told apart{}: {}", verdict.alphas.size() == 1 ? " with one layer" : "",
                       fmt::join(names, ", "));
}

// The named algorithm that leaves least.
std::string unnamed_words(const NetworkVerdict& verdict, const std::vector<Landmark>& landmarks) {
    if (verdict.leaves.empty()) return "no named algorithm";
    const size_t nearest = nearest_of(verdict.leaves);
    return fmt::format("no named algorithm: the nearest, {}, leaves {} unexplained", landmarks[nearest].label,
                       percent_of(verdict.leaves[nearest].value));
}

}  // namespace

const char* name_of(VerdictName name) {
    constexpr const char* names[] = {"td",           "residual_gradient",
                                     "no_bootstrap", "reward_correlation",
                                     "td_lambda",    "average_reward",
                                     "wrong_sign",   "ambiguous",
                                     "between",      "none"};
    return names[static_cast<size_t>(name)];
}

NetworkVerdict verdict(const LinearAttentionView& network, const VerdictPrompts& prompts,
                       const std::vector<Landmark>& landmarks) {
    return verdict(prompts.fit.values(network), prompts.judge.values(network), network.layers, prompts, landmarks);
}

NetworkVerdict verdict(std::vector<double> fit_to, std::vector<double> judge_by, int layers,
                       const VerdictPrompts& prompts, const std::vector<Landmark>& landmarks) {
    NetworkVerdict verdict;
    const NetworkValues fitted(prompts.fit, std::move(fit_to)), judged(prompts.judge, std::move(judge_by));
    if (!fitted.usable || !judged.usable) return verdict;
    const int d = prompts.fit.d();
    const FamilyFitter fitter(fitted, layers);
    const ScalarFits fits = fitter.fit_scalars(landmarks);
    FamilyJudge judge(judged);
    for (const FamilyFit& fit : fits.landmarks) judge.add(fit.x, Steps::scalar);
    judge.add(fits.family.x, Steps::scalar);

    add_intervals(fitter, fits.family.x, verdict);
    verdict.converged = fits.family.rests;
    verdict.steps = fits.family.steps;
    const Vec alphas = fits.family.x.tail(layers);
    verdict.alphas.assign(alphas.begin(), alphas.end());
    std::sort(verdict.alphas.begin(), verdict.alphas.end());
    verdict.unexplained = judge.share(landmarks.size());
    verdict.median_unexplained = judge.median_share(fits.family.x);
    for (size_t m = 0; m < landmarks.size(); ++m) verdict.leaves.push_back(judge.left(m));

    const double least = judge.share(judge.best());
    const size_t nearest = nearest_of(verdict.leaves);
    if (layers > 1 && layers * d * d <= kMostMatrixEntries && judge.share(nearest) > kScalarEnough &&
        fitter.matrices_may_leave(kHalfOf, fits.family)) {
        // The fit may leave a little more than the limit, because other prompts judge it.
        const double most = 1.2 * kMostUnexplained * fitter.total;
        const FamilyFit family =
            fitter.fit_matrices(fits.family.x, 0, least > kMostUnexplained ? most : 1.2 * kHalfOf * fits.family.loss);
        FamilyJudge among_matrices(judged);
        among_matrices.add(family.x, Steps::matrices);
        verdict.unexplained_by_matrices = among_matrices.share(0);
        if (least > kMostUnexplained && verdict.unexplained_by_matrices > kMostUnexplained) return verdict;
        if (least > kMostUnexplained || verdict.unexplained_by_matrices < kHalfOf * least) {
            FamilyJudge all(judged);
            for (size_t m = 0; m < landmarks.size(); ++m)
                all.add(landmarks[m].one_step ? fitter.one_matrix_step()
                                              : fitter.fit_matrices(fits.landmarks[m].x, 2, most).x,
                        Steps::matrices);
            all.add(family.x, Steps::matrices);
            verdict.by_matrices = true;
            verdict.beta = {family.x[0], kMatrixHalf};
            verdict.c = {family.x[1], kMatrixHalf};
            verdict.unexplained_by_matrices = all.share(all.best());
            if (verdict.unexplained_by_matrices <= kMostUnexplained) name_among(all, landmarks, false, verdict);
            return verdict;
        }
    }
    if (least > kMostUnexplained) return verdict;
    if (layers == 1)
        name_one_layer(judge, landmarks, verdict);
    else
        name_among(judge, landmarks, fits.landmarks[nearest].x.tail(layers).sum() < 0, verdict);
    return verdict;
}

std::string label_of(const NetworkVerdict& verdict, const std::vector<Landmark>& landmarks) {
    if (verdict.name == VerdictName::ambiguous) return "undecided";
    if (verdict.name == VerdictName::between) return "between";
    if (verdict.name == VerdictName::none) return "no named algorithm";
    const std::string label = landmarks[verdict.of].label;
    return verdict.name == VerdictName::wrong_sign ? label + ", wrong sign" : label;
}

std::string sentence_of(const NetworkVerdict& verdict, const std::vector<Landmark>& landmarks, PlaceAxis axis,
                        double gamma) {
    if (!verdict.has_values()) return "predicts zero, or values that are not finite";
    const double left = verdict.by_matrices ? verdict.unexplained_by_matrices : verdict.unexplained;
    std::string words = verdict.name == VerdictName::none        ? unnamed_words(verdict, landmarks)
                        : verdict.name == VerdictName::between   ? between_words(verdict, axis, gamma)
                        : verdict.name == VerdictName::ambiguous ? tied_words(verdict, landmarks)
                                                                 : named_words(verdict, landmarks, axis, gamma);
    if (verdict.name != VerdictName::none) words += fmt::format("; {} unexplained", percent_of(left));
    return verdict.converged ? words : words + "; the fit has not converged";
}

}  // namespace emergence
